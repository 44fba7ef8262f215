/** What to give to `spawn` on Windows for a program that is a batch file, as `npx` is there. */
export interface BatchCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** Characters that cmd.exe gives a meaning. */
const META = /([()\][%!^"`<>&|;, *?])/g;
/** A batch file that npm made for a command; it hands its line to cmd.exe a second time. */
const NPM_SHIM = /node_modules[\\/]\.bin[\\/]/i;

/**
 * A command line for cmd.exe that passes the arguments on as they are; to be spawned with `windowsVerbatimArguments`. The
 * quoting is that of the package cross-spawn, which the MCP SDK uses: first the rules of the C runtime, then a caret
 * before everything that cmd.exe would read itself.
 */
export function batchCommand(command: string, args: readonly string[], comspec = 'cmd.exe'): BatchCommand {
  const line = [command.replace(META, '^$1'), ...args.map((one) => quoted(one, NPM_SHIM.test(command)))].join(
    ' ',
  );
  return { file: comspec, args: ['/d', '/s', '/c', `"${line}"`] };
}

function quoted(argument: string, twice: boolean): string {
  const forRuntime = argument.replace(/(?=(\\+?)?)\1"/g, '$1$1\\"').replace(/(?=(\\+?)?)\1$/, '$1$1');
  const once = `"${forRuntime}"`.replace(META, '^$1');
  return twice ? once.replace(META, '^$1') : once;
}
