import type { DownstreamServer } from '../core/downstream-server.js';
import type { ConfigFile } from './schema.js';

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object ? DeepReadonly<T[K]> : T[K] };

/** The resolved configuration, frozen. Folders are absolute paths; they need not exist yet. */
export type Config = DeepReadonly<
  Pick<ConfigFile, 'sandbox' | 'output' | 'privacy' | 'http' | 'logLevel'>
> & {
  /** `dir` absent: below {@link Config.dataDir}. */
  readonly skills: { readonly dir?: string; readonly readOnlyDirs: readonly string[] };
  /** The downstream servers that are not disabled, the strongest definition of each name, in order. */
  readonly servers: readonly DownstreamServer[];
  /** Folders for {@link readRegistry}. */
  readonly registry: readonly string[];
  /** What is kept: workspaces, skills, tokens, the audit log. */
  readonly dataDir: string;
  /** What can be made again: the prepared runtime. Readable by the user that workers run as. */
  readonly cacheDir: string;
};

/** What the configuration depends on, taken once from the process ({@link hostEnvironment}) or given by a test. */
export interface HostEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
  /** Absent on Windows. */
  readonly uid?: number;
}

/** Command line flags that set configuration; they win over everything else. */
export interface ConfigFlags {
  readonly config?: string;
  readonly dataDir?: string;
  readonly backend?: string;
  readonly logLevel?: string;
}

/** A configuration file that was read. */
export interface ConfigSource {
  readonly kind: 'named' | 'project' | 'user';
  readonly path: string;
}

/** One thing wrong, with its place. No field holds the value of an environment variable. */
export interface ConfigProblem {
  /** `FILE:LINE`, a flag (`--backend`), or the name of an environment variable. */
  readonly place: string;
  /** Key path, absent when the file as a whole is wrong. */
  readonly key?: string;
  /** What was found and what is valid, one sentence. */
  readonly message: string;
}

/** One key as `config check` shows it. */
export interface ShownKey {
  readonly key: string;
  /** JSON text of the value; parts that come from a variable with a secret-looking name are `***`. */
  readonly value: string;
  /** Where it was set, or `default`. */
  readonly place: string;
}

/** The configuration and how it came about. */
export interface LoadedConfig {
  readonly config: Config;
  /** One sentence each, with its place. */
  readonly warnings: readonly string[];
  readonly sources: readonly ConfigSource[];
  readonly shown: readonly ShownKey[];
}

/** Everything `config check` tells: {@link LoadedConfig} without problems, or the problems. */
export interface ConfigReport {
  readonly loaded?: LoadedConfig;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
  readonly sources: readonly ConfigSource[];
}
