/**
 * What the product promises, one line an id. A test cites the ids it verifies through {@link verifies}; coverage.test.ts
 * fails on an id that no test cites and on a cited id that is not here.
 */
export const REQUIREMENTS = {
  // The main job.
  'SCENARIO-1':
    'Three public tables are loaded, cleaned and aggregated over MCP stdio with the right figures.',
  'SCENARIO-2': 'Data that costs over 100,000 LLM tokens comes back as an answer of under 300.',
  'SCENARIO-3': 'A second run in a named session uses the variables of the first.',
  'SCENARIO-4': 'A file that a run wrote can be read back, byte for byte.',
  'PROGRAM-1': 'A 60-line program as models write them runs unchanged and gives the right answer.',

  // Protocol and server tools.
  'MCP-1': 'The server speaks MCP over stdio in both protocol eras.',
  'MCP-2':
    'tools/list holds exactly the tools that work, in at most 1,650 LLM tokens, with annotations and output schemas.',
  'MCP-3': 'initialize is answered before any sandbox work.',
  'MCP-4': 'Every answer carries the same facts as text and as structured content that matches its schema.',
  'MCP-5': 'Prints and progress(done, total, message) become progress notifications.',
  'MCP-6': 'Cancelling a call stops its worker, and the next run is right.',
  'MCP-7': 'In stdio mode nothing but the protocol is written to standard output.',
  'STATS-1':
    'get_execution_stats names backend, layers, limits, runs by outcome, LLM tokens kept out and the pool.',

  // Serving over HTTP.
  'HTTP-1': 'MCP is served over HTTP in both protocol eras, questions to the person included.',
  'HTTP-2':
    'A foreign Host or Origin, a missing or a wrong bearer token are refused before anything else of a request is looked at.',
  'HTTP-3':
    'Principals share no files, variables, skills, tokens for personal data or figures, also under the same names.',
  'HTTP-4': 'A session id that is made up, ended, or of another principal is unknown, and opens nothing.',
  'HTTP-5': 'Broken and oversize bodies are answered, and the server goes on.',
  'HTTP-6': 'A client that leaves, cancels or ends its session in the middle of a run stops the run.',
  'HTTP-7': 'Without tokens in the configuration only this machine is served, with a token made for the run.',
  'HTTP-8': 'A signal ends the HTTP server in order, with all that it runs.',

  // Running code.
  'RUN-1': 'The value is that of the variable result if the run set it, else of the last expression.',
  'RUN-2': 'With neither value nor output the answer lists the new variables with type and size.',
  'RUN-3':
    'Each run without a session starts fresh, and a NameError on an earlier name tells of the session argument.',
  'RUN-4': 'context_vars are bound as names before the code starts.',
  'RUN-5': 'An error answers with its type, message, line, source text and the user frames only.',
  'RUN-6': 'Output on both streams is captured in order and capped by the host.',
  'RUN-7': 'A result over the budget comes back as its shape, head and tail, the whole in a workspace file.',
  'RUN-8':
    'Values beyond JSON (Decimal, datetime, set, bytes, dataclass, NaN, big ints, cycles) have a documented form.',
  'RUN-9': 'random differs between two fresh runs.',

  'RUN-10':
    'Open figures, images and bytes of images come back as image content and as files, without what is not their pixels.',
  'RUN-11':
    'Tables and arrays of pandas and NumPy read as compact text with their types; what does not fit is kept as CSV.',

  // Tools of downstream servers, called from code.
  'TOOLS-1': 'search_tools finds the tools of the connected servers that a task needs.',
  'TOOLS-2': 'get_tool_definition tells arguments, return type, example and policy of one tool.',
  'TOOLS-3': 'Code calls tools as functions, several in parallel, and catches the call that fails.',
  'TOOLS-4': 'What code did through tools is done: each call reaches its server once, with its arguments.',
  'TOOLS-5':
    'A task over 50 files takes one answer of under 250 LLM tokens, and 98.7 % fewer LLM tokens than plain calls.',
  'TOOLS-6':
    'A call under ask is put before the person through the client in both eras; yes lets one call through.',
  'TOOLS-7':
    'Anything but a clear yes of the person is a ToolDenied that code can catch, and nothing is called.',
  'TOOLS-8': 'Where nobody can be asked, a call under ask is refused and the answer says how to allow it.',
  'TOOLS-9': 'The clock of a run stands still while the person thinks.',
  'TOOLS-10':
    'Code that was stopped by a question is never run again, whatever request state a client sends.',
  'TOOLS-11': 'Globs of the configuration deny, ask and allow; a tool that says it destroys is asked about.',
  'TOOLS-12': 'A name that no tool has is answered with the nearest names.',
  'TOOLS-13': 'Arguments that do not fit raise a TypeError with the nearest name before anything is sent.',
  'TOOLS-14': 'A run makes at most 100 calls; what it did before is kept.',
  'TOOLS-15': 'A server that dies in the middle of a run is an error of that call, and it is started again.',
  'TOOLS-16': 'A tool that disappears during a run is unknown from then on; the other tools go on working.',
  'TOOLS-17':
    'A result of 40 MB reaches the code; one over the limit is refused with the limit and the next step.',
  'TOOLS-18': 'Images and files that a tool returns are objects which code can save into the workspace.',
  'TOOLS-19':
    'Progress of a tool reaches the client, and cancelling a run cancels its calls at their servers.',
  'TOOLS-20': 'Every call is one line of the audit log, with a hash in place of its arguments.',
  'TOOLS-21': 'A server that is down, hangs or floods is named once in an answer and stops no other.',

  // Skills: code that is kept.
  'SKILLS-1': 'A skill that was saved is used in fresh runs by import, by attribute and by its source text.',
  'SKILLS-2': 'A version whose examples fail is refused under test, told by a test, and rolled back.',
  'SKILLS-3': 'Skills are found by what they do, also among tools and from code.',
  'SKILLS-4': 'A skill is an Agent Skills folder that validates and that plain Python can run.',
  'SKILLS-5': 'Skills are served by the Skills extension of MCP, and every digest holds.',
  'SKILLS-6': 'Secrets and personal data in a skill are refused with the place and never the value.',
  'SKILLS-7': 'Source text is parsed and not run when it is saved; hostile text is an error with its place.',
  'SKILLS-8':
    'Skills use tools and other skills; what is missing, circles and failing lines are told by name.',
  'SKILLS-9': 'Names of modules, keywords, paths and look-alikes are refused; no skill shadows a module.',
  'SKILLS-10': 'Every save is a version with its principal, run, time and hash, and a line of the audit log.',

  // Sessions.
  'SESSION-1': 'A session keeps its variables across runs and across an exception.',
  'SESSION-2': 'A session that lost its interpreter says so once, and works again from empty.',
  'SESSION-3': 'Two runs at once in one session: the second is refused as busy and the first is right.',
  'SESSION-4': 'Sessions do not see each other, and fresh runs see no session.',

  // Files.
  'FILES-1': 'open, pathlib and the working directory mean the workspace; changes are reported.',
  'FILES-2': 'A run sees the workspace as of its start, and per file the last to finish wins.',
  'FILES-3': 'Binary content goes in and out as base64 without change.',
  'FILES-4': 'Reading in parts by offset and limit gives the whole file.',
  'FILES-5': 'A file that cannot be saved to its end fails the run, also one that the code left open.',

  // Limits and death.
  'LIMIT-1':
    'An endless loop, also one that swallows the interrupt, is answered as timeout within its limit + 2 s.',
  'LIMIT-2': 'A loop inside C code is answered as timeout within its limit + 2 s.',
  'LIMIT-3': 'Allocating 10 GB is answered as memory_limit.',
  'LIMIT-4': 'Printing 1 GB is answered as output_limit and does not grow the server by 200 MB.',
  'LIMIT-5': 'Filling the disk, by bytes or by number of files, is answered as disk_limit.',
  'LIMIT-6': 'Endless recursion is answered as an ordinary error.',
  'LIMIT-7': 'os._exit and a killed interpreter are answered as crashed, and the next run is right.',
  'LIMIT-8': 'Starting processes fails with a clear error, and nothing is left running.',
  'LIMIT-9': 'A timeout keeps the output and the files written before it.',

  // Neighbours.
  'LOAD-1': 'Runs that do not end keep no other run from being answered.',
  'LOAD-2':
    'A run that goes on while others come has the lowest priority; its session has it back afterwards.',
  'LOAD-3': 'When too many runs wait, the answer is busy and says in about how many seconds to come back.',

  // Walls.
  'WALL-1': 'No file of the host can be read or written from Python or from JavaScript.',
  'WALL-2': 'No variable of the environment of the server reaches the sandbox.',
  'WALL-3': 'No network is reachable: TCP, UDP, loopback, unix sockets.',
  'WALL-4': 'No process can be started.',
  'WALL-5': 'Links in the workspace do not lead out of it.',

  // Bad input: a code, a message and the next step.
  'BAD-1': 'Code that is no string, empty, over the size limit, or holds NUL or lone surrogates is refused.',
  'BAD-2': 'Unknown arguments are refused by name.',
  'BAD-3': 'Timeouts, memory and output limits out of range are refused with the range.',
  'BAD-4': 'context_vars that are no identifiers or shadow built-ins are refused by name.',
  'BAD-5': 'Paths that climb, absolute paths and names with control characters are refused.',
  'BAD-6': 'Links, devices and FIFOs in the workspace are neither listed nor read.',
  'BAD-7': 'Content that is no base64, or binary read as text, is refused as bad_encoding.',
  'BAD-8': 'Invalid session names are refused.',
  'BAD-9': 'A missing file is not_found with the nearest name; mode create does not replace.',
  'BAD-10': 'A client that goes away in the middle of a run leaves no process behind.',

  // Personal data.
  'PRIVACY-1':
    'In both modes a value that one tool returned arrives intact at the next tool, and the model sees its token.',
  'PRIVACY-2':
    'Values of the chosen kinds are tokens in results, output, errors, files that are read and skills, in clear and encoded.',
  'PRIVACY-3': 'In strict mode code has tokens only, so that no program can tell the model a value.',
  'PRIVACY-4':
    'The statistics tell the mode and the tokens by kind, and every restore is in the audit log without its value.',
  'PRIVACY-5':
    'What the agent sent itself stays as it is; restore_pii shows other values only as the configuration says.',
  'PRIVACY-6': 'A token becomes a value at no tool that the policy does not let have it.',
  'PRIVACY-7': 'The person sees the true text on the command line, and erases all values with one command.',
} as const;

export type RequirementId = keyof typeof REQUIREMENTS;
