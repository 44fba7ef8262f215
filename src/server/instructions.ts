/** What a client puts before the model at the start: when to use this server, and the five rules of running code. */
export const INSTRUCTIONS = `Runs Python in a sandbox on this machine, so that data stays out of the conversation: load, filter and compute in code, return the few facts you need.
- execute_code: CPython with its standard library. The answer is the value of the variable \`result\`, else of the last expression, and what was printed. Long results come back as a summary; the whole is kept as a file.
- Each call is fresh. To keep variables between calls, pass the same session name.
- Files: the working directory is your workspace. open("data.csv") in code and write/read/list_workspace_file(s) see the same files; they stay between calls.
- There is no network, no shell and no pip.
- When a call fails, read error.code and the "next:" line; what was printed and written before the failure is kept.`;
