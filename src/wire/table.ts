import { z } from 'zod';

/**
 * A DataFrame as the value of a run: the payload of `done` in the form `table` (python/src/ce_runtime/tables/table.py makes it).
 * The code may have made it, so lengths are checked; what does not fit is read as any other JSON value.
 */

const MAX_COLUMNS = 1_000;
/** The longest answer has 100,000 characters, and a cell takes two of them at least. */
const MAX_CELLS = 60_000;
const columns = z.array(z.unknown()).max(MAX_COLUMNS);
const counts = z.array(z.number().nullable()).max(MAX_COLUMNS);

const shape = z.strictObject({
  /** Each once; those of the index come first. */
  names: z.array(z.string().max(400)).max(MAX_COLUMNS),
  dtypes: z.array(z.string().max(200)).max(MAX_COLUMNS),
  /** How many of the first columns are the index. */
  labels: z.number().int().min(0).max(MAX_COLUMNS),
  rows: z.array(columns).max(MAX_CELLS),
  /** Of a table that is not whole: `first` rows of `rows` are its first, the rest its last. One entry a column. */
  cut: z
    .strictObject({
      first: z.number().int().min(0).max(1_000),
      total: z.number().int().min(0),
      /** Columns that are left out. */
      hidden: z.number().int().min(0),
      nulls: counts,
      min: columns,
      max: columns,
      distinct: counts,
    })
    .optional(),
});

export const tableSchema = shape.refine(({ names, dtypes, labels, rows, cut }) => {
  const lists = [dtypes, ...rows, ...(cut === undefined ? [] : [cut.nulls, cut.min, cut.max, cut.distinct])];
  const fits = labels <= names.length && rows.length * names.length <= MAX_CELLS;
  return fits && lists.every((list) => list.length === names.length);
}, 'a table whose lists differ in length, or with too many cells');

export type TableValue = z.infer<typeof tableSchema>;
