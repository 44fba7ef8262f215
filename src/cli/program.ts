import { Command, CommanderError } from 'commander';
import type { ConfigFlags } from '../config/config.js';
import { CodeExecutionError, type ErrorCode } from '../core/errors.js';
import { nearest } from '../core/nearest.js';
import { type CliContext, EXIT } from './context.js';
import type { InitFlags } from './init.js';
import type { RunFlags } from './run.js';
import type { SearchFlags } from './search.js';
import type { ServeFlags } from './serve.js';
import { defineSkills } from './skills-program.js';
import type { ReviewFlags } from './tools-review.js';
import { UsageError } from './usage-error.js';

const NAME = 'code-execution-mcp';

/** Error codes that the caller of a command can mend by other arguments or another configuration. */
const USAGE_CODES: ReadonlySet<ErrorCode> = new Set([
  'config_error',
  'bad_arguments',
  'too_large',
  'bad_encoding',
]);

/**
 * Runs one command line and gives its exit code ({@link EXIT}). `args` are the words after the program's name.
 * The modules of a command are loaded when it runs, so that `--version` and the start of the server stay fast.
 */
export async function runCommandLine(args: readonly string[], context: CliContext): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = defineProgram(context, (code) => {
    exitCode = code;
  });
  try {
    refuseUnknownCommand(args, program);
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, context);
  }
}

function defineProgram(context: CliContext, done: (code: number) => void): Command {
  const { out, err } = context.streams;
  const program = new Command(NAME)
    .description(
      'Runs Python for AI agents in a sandbox, as an MCP server on standard input and output or over HTTP.',
    )
    .version(context.version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => out.write(text), writeErr: (text) => err.write(text) })
    .showHelpAfterError(`Run "${NAME} --help" for the commands and their options.`);

  withConfigOptions(program.command('serve', { isDefault: true }))
    .description('serve MCP on standard input and output, or over HTTP (the default command)')
    .option(
      '--http [host:port]',
      'serve Streamable HTTP at /mcp; default: http.host and http.port, 127.0.0.1:8848',
    )
    .action(async (flags: ServeFlags) => done(await (await import('./serve.js')).serve(context, flags)));

  withConfigOptions(program.command('run'))
    .description('run a Python file in the sandbox and print the answer as a model would read it')
    .argument('<file>', 'the file, or - for standard input')
    .option('--timeout <seconds>', 'wall-clock limit')
    .option('--memory <mib>', 'memory limit')
    .option('--json', 'print the structured answer')
    .action(async (file: string, flags: RunFlags) =>
      done(await (await import('./run.js')).run(context, file, flags)),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 the code succeeded, 1 it failed, 2 wrong usage, 3 a fault of the server.',
    );

  withConfigOptions(program.command('search'))
    .description('find tools of the configured servers, as search_tools does for a model')
    .argument('[words...]', 'what is to be done, or the name of a tool; without words: the categories')
    .option('--category <name>', 'only this category')
    .option('--limit <number>', 'most tools shown, 1 to 50')
    .option('--detail <level>', 'name, summary, signature or full')
    .option('--json', 'print the structured answer')
    .action(async (words: string[], flags: SearchFlags) =>
      done(await (await import('./search.js')).search(context, words, flags)),
    );

  const tools = program.command('tools').description('look at the tools of the configured servers');
  withConfigOptions(tools.command('list'))
    .description('list the tools of all servers, or of one, and what becomes of a call')
    .argument('[server]', 'name of the server in the configuration')
    .action(async (server: string | undefined, flags: ConfigFlags) =>
      done(await (await import('./tools-list.js')).toolsList(context, server, flags)),
    );
  withConfigOptions(tools.command('review'))
    .description(
      'list definitions that are new, have changed, or claim the name of another tool; accept them',
    )
    .option('--accept <id...>', 'accept the definitions of these tools as they are now')
    .option('--accept-all', 'accept all that are listed')
    .action(async (flags: ReviewFlags) =>
      done(await (await import('./tools-review.js')).toolsReview(context, flags)),
    );

  defineSkills(program, context, done, withConfigOptions);

  const privacy = program.command('privacy').description('see or erase what tokens stand for');
  withConfigOptions(privacy.command('restore'))
    .description('print a text with true values in place of tokens, for you at this machine')
    .argument('<file>', 'the file, or - for standard input')
    .action(async (file: string, flags: ConfigFlags) =>
      done(await (await import('./privacy.js')).privacyRestore(context, file, flags)),
    );
  withConfigOptions(privacy.command('forget'))
    .description('erase all values that are kept; tokens given out so far lose their meaning')
    .action(async (flags: ConfigFlags) =>
      done(await (await import('./privacy.js')).privacyForget(context, flags)),
    );

  const config = program.command('config').description('look at the configuration');
  withConfigOptions(config.command('check'))
    .description('print the configuration that applies, and every problem with its place')
    .action(async (flags: ConfigFlags) => {
      done(await (await import('./config-check.js')).configCheck(context, flags));
    });

  withConfigOptions(program.command('doctor'))
    .description('tell what works on this machine and which layers of protection hold')
    .option('--posture', 'tell also what a waiting worker may do, as the kernel shows it')
    .action(async (flags: ConfigFlags & { posture?: boolean }) =>
      done(await (await import('./doctor.js')).doctor(context, flags)),
    );

  program
    .command('init')
    .description('print the entry that makes a client start this server')
    .argument('<client>', 'claude-code, claude-desktop, cursor or vscode')
    .option('--write', "merge the entry into the client's own file, keeping a copy of the file")
    .option('--project', "use the file of the project in the working directory instead of the user's")
    .action(async (client: string, flags: InitFlags) => {
      done(await (await import('./init.js')).init(context, client, flags));
    });
  return program;
}

function withConfigOptions(command: Command): Command {
  return command
    .option('--config <path>', 'configuration file, used instead of all others')
    .option('--data-dir <dir>', 'folder for the workspaces')
    .option('--backend <name>', 'kind of sandbox: auto, native or wasm')
    .option('--log-level <level>', 'silent, error, warn, info or debug');
}

/** Commander would hand an unknown word to the default command, which then complains of too many arguments. */
function refuseUnknownCommand(args: readonly string[], program: Command): void {
  const word = args[0];
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (word === undefined || word.startsWith('-') || names.includes(word)) return;
  const near = nearest(word, names);
  throw new UsageError(
    `unknown command "${word}"${near ? `; did you mean ${near}?` : ''}`,
    `one of: ${names.join(', ')}`,
  );
}

function report(error: unknown, context: CliContext): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError || error instanceof CodeExecutionError) {
    const hint = error.hint ? `\nnext: ${error.hint}` : '';
    context.streams.err.write(`${NAME}: ${error.message}${hint}\n`);
    return error instanceof UsageError || USAGE_CODES.has(error.code) ? EXIT.usage : EXIT.fault;
  }
  throw error;
}
