/** What a client puts before the model at the start: when to use this server, and the five rules of running code. */
export const INSTRUCTIONS = `Runs Python in a sandbox on this machine, so that data stays out of the conversation: load, filter and compute in code, return the few facts you need.
- execute_code: CPython with its standard library, and numpy, pandas, matplotlib where they are installed. The answer is the value of the variable \`result\`, else of the last expression, and what was printed. Long results come back as a summary; the whole is kept as a file.
- Each call is fresh. To keep variables between calls, pass the same session name.
- Files: the working directory is your workspace. open("data.csv") in code and write/read/list_workspace_file(s) see the same files; they stay between calls.
- Tools of other servers: find them with search_tools (or tools.search in code), then call them in execute_code: rows = tools.SERVER.TOOL(arg=1), several at once with tools.gather(tools.A.B.later(...), ...). Their results stay in the code; failures raise ToolError.
- Code that worked and will be needed again: save_skill; later find it with list_skills or search_tools, and use it: from skills import NAME.
- There is no network, no shell and no pip: what needs one is a tool's work.
- When a call fails, read error.code and the "next:" line; what was printed and written before the failure is kept.`;
