import { z } from 'zod';

/**
 * The contract between the host and a sandbox worker (python/ and the wasm guest are the other side; design/wire.md
 * tells it in words). A frame is a JSON header and a binary payload. Everything a worker sends may have been sent by
 * the code it runs: the schemas here are the first check, and no header field ever says who the caller is.
 */

const path = z.string().min(1).max(4096);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const shortText = z.string().max(4_000);
const longText = z.string().max(200_000);
/** Files that the runtime names by itself; other names could tell something in a place that nobody filters. */
const imageFile = z.string().regex(/^(?:figure|image)-\d{1,6}\.(?:png|jpg|gif|webp)$/);
const valueFile = z.string().regex(/^result-\d{1,6}\.(?:csv|parquet|npy)$/);

/** A file or folder that the worker may show to the code; content follows on demand (`read`). */
export interface ManifestEntry {
  path: string;
  kind: 'file' | 'directory';
  size: number;
  mtimeMs: number;
  version: string;
}

/** Host to worker. Trusted, so types suffice. */
export type HostMessage =
  /** Start a run. Payload: UTF-8 JSON {@link RunPayload}. */
  | {
      type: 'run';
      id: string;
      /** Milliseconds from the receipt of this frame to the deadline. */
      timeoutMs: number;
      memoryMb: number;
      outputBytes: number;
      resultBytes: number;
      /** Characters of a value that the answer can show: a table beyond them becomes a file. Absent: 8,000. */
      answerChars?: number;
      /** Bytes that changed and new files may take in all, and number of files (the host counts again). */
      diskBytes: number;
      diskFiles: number;
      /** `restricted` (default) or `strict`, see docs. */
      builtins: 'restricted' | 'strict';
      /** True in a named session: state is kept, and errors do not suggest one. */
      keepState: boolean;
      /** True: code can reach downstream tools through `call`. */
      tools: boolean;
      /** True: code can reach saved skills through `call`. */
      skills: boolean;
      /** The workspace as of now. Absent: unchanged since the last run of this worker. */
      manifest?: ManifestEntry[];
    }
  /** One part of a file that the worker asked for by `read`. Payload: the bytes. */
  | { type: 'content'; path: string; offset: number; size: number; last: boolean }
  /**
   * The end of the answer to request `id`. For a `call` the payload is UTF-8 JSON: `{value}`, `{parts}` with media,
   * or `{structured, content}` as the tool sent them when they are too long to be made into values on the host.
   * `extendMs` moves the deadline: a person was asked meanwhile.
   */
  | { type: 'reply'; id: number; ok: true; extendMs?: number }
  | {
      type: 'reply';
      id: number;
      ok: false;
      code: string;
      message: string;
      retryable?: boolean;
      hint?: string;
      tool?: string;
      extendMs?: number;
    };

export interface RunPayload {
  code: string;
  /** JSON values bound as names before the code starts. */
  context: Record<string, unknown>;
  /** Names that earlier fresh runs of this principal defined, for a better NameError. At most 500. */
  earlierNames: string[];
}

const errorSchema = z.strictObject({
  code: z.enum([
    'call_budget',
    'tool_unknown',
    'tool_denied',
    'restore_denied',
    'tool_needs_approval',
    'tool_failed',
    'tool_unavailable',
    'bad_arguments',
    'syntax_error',
    'python_error',
    'import_denied',
    'timeout',
    'memory_limit',
    'output_limit',
    'disk_limit',
  ]),
  type: z.string().max(200),
  message: longText,
  line: count.optional(),
  source: shortText.optional(),
  hint: shortText.optional(),
  traceback: longText.optional(),
});

const variableSchema = z.strictObject({
  name: z.string().max(200),
  type: z.string().max(200),
  size: count.optional(),
  preview: z.string().max(200).optional(),
});

/** Worker to host. Untrusted. */
export const workerMessageSchema = z.discriminatedUnion('type', [
  /** The interpreter is up and has evaluated `1+1`. */
  z.strictObject({ type: z.literal('ready'), python: z.string().max(40) }),
  /** Printed text. Payload: bytes. */
  z.strictObject({ type: z.literal('out'), stream: z.enum(['stdout', 'stderr']) }),
  z.strictObject({
    type: z.literal('progress'),
    done: z.number().finite(),
    total: z.number().finite().optional(),
    message: z.string().max(1_000).optional(),
  }),
  /** Asks for the content of a manifest file, and of `ahead` further small ones; answered by `content`* and `reply`. */
  z.strictObject({ type: z.literal('read'), id: count, path, ahead: z.array(path).max(256) }),
  /**
   * Asks for something outside: a tool call, a search in the catalogue, the description of a tool, names; the source of a
   * skill, a list of skills, the keeping of one; tokens in
   * place of the values of a text. Payload: UTF-8 JSON by `op`. Answered by `reply`, in any order.
   */
  z.strictObject({
    type: z.literal('call'),
    id: count,
    op: z.enum(['tool', 'search', 'describe', 'names', 'skill', 'skills', 'save_skill', 'tokenise']),
    name: z.string().max(512),
  }),
  /** One part of a changed file. Payload: the bytes. Parts come in order, the first with offset 0. */
  z.strictObject({ type: z.literal('file'), path, offset: count, last: z.boolean() }),
  z.strictObject({ type: z.literal('folder'), path }),
  z.strictObject({ type: z.literal('remove'), path }),
  /** The run is over. Payload: JSON text of the value, empty without one. */
  z.strictObject({
    type: z.literal('done'),
    id: z.string().max(64),
    /** Absent: neither `result` nor a last expression. */
    value: z
      .strictObject({
        type: z.string().max(200),
        truncated: z.boolean(),
        /** How the payload is to be read: `table` as tableSchema says, `array` as a value whose numbers may be rounded. */
        form: z.enum(['table', 'array']).optional(),
        /** What stands behind the type: `10000 x 5`, `3 int64 price`. */
        label: z.string().max(200).optional(),
        /** A file of the workspace that holds the whole. */
        file: valueFile.optional(),
      })
      .optional(),
    /** Files of the workspace that are to be shown. */
    images: z.array(imageFile).max(20).optional(),
    error: errorSchema.optional(),
    notes: z.array(z.string().max(1_000)).max(50),
    variables: z.array(variableSchema).max(50),
    /** Top-level names the run defined, for the host's list of earlier names. */
    names: z.array(z.string().max(200)).max(500),
  }),
]);

export type WorkerMessage = z.infer<typeof workerMessageSchema>;
