// @ts-check
/** All targets by name: what reads bytes that somebody else has made. Loaded when asked for; each opens folders or a server. */

/** @typedef {import('./support/campaign.mjs').Target<any>} AnyTarget */

/** @type {Readonly<Record<string, () => Promise<AnyTarget>>>} */
export const TARGETS = {
  frames: async () => (await import('./targets/frames.mjs')).open(),
  runs: async () => (await import('./targets/runs.mjs')).open(),
  'native-text': async () => (await import('./targets/native-text.mjs')).open(),
  paths: async () => (await import('./targets/paths.mjs')).open(),
  workspace: async () => (await import('./targets/workspace.mjs')).open(),
  config: async () => (await import('./targets/config.mjs')).open(),
  definitions: async () => (await import('./targets/definitions.mjs')).open(),
  downstream: async () => (await import('./targets/downstream.mjs')).open(),
  results: async () => (await import('./targets/results.mjs')).open(),
  skills: async () => (await import('./targets/skills.mjs')).open(),
  restore: async () => (await import('./targets/restore.mjs')).open(),
  egress: async () => (await import('./targets/egress.mjs')).open(),
  stdio: async () => (await import('./targets/stdio.mjs')).open(),
  visible: async () => (await import('./targets/visible.mjs')).open(),
};

/** @param {string} name @returns {Promise<AnyTarget>} */
export async function openTarget(name) {
  const open = TARGETS[name];
  if (!open) throw new Error(`there is no target ${name}; there are: ${Object.keys(TARGETS).join(', ')}`);
  return open();
}
