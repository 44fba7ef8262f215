// @ts-check
/**
 * A skill of ordinary size to save.
 * @param {string} name
 * @param {string} comment makes the code differ
 * @param {string} [description]
 */
export function skillRequest(name, comment, description = 'Adds up the invoices of a month.') {
  const code = `${comment}\ndef ${name}(rows, limit=0.8):\n    """Adds up."""\n${'    total = sum(row["gross"] for row in rows)\n'.repeat(30)}    return total\n`;
  return {
    name,
    code,
    description,
    tags: ['bench'],
    overwrite: true,
    shape: {
      signature: `${name}(rows: list, limit: float = 0.8) -> float`,
      entry: name,
      functions: [name],
      docstring: 'Adds up.',
      requiresTools: [],
      requiresSkills: [],
      examples: 0,
    },
    provenance: { principal: 'bench' },
  };
}
