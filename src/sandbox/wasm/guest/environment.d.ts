/** What the guest uses of Deno's globals; the guest runs in Deno only. */
declare const Deno: {
  readonly args: readonly string[];
  readonly stdin: { readSync(buffer: Uint8Array): number | null };
  readonly stdout: { writeSync(bytes: Uint8Array): number };
  openSync(path: string): { readSync(buffer: Uint8Array): number | null; close(): void };
  statSync(path: string): { readonly size: number };
  readFileSync(path: string): Uint8Array;
  readDirSync(path: string): Iterable<{ readonly name: string; readonly isDirectory: boolean }>;
  exit(code: number): never;
};

declare namespace WebAssembly {
  interface Module {
    readonly __module: never;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  function instantiate(
    bytes: Uint8Array,
    imports: Record<string, Record<string, unknown>>,
  ): Promise<{ module: Module; instance: Instance }>;
  function instantiate(module: Module): Promise<Instance>;
  function compile(bytes: Uint8Array): Promise<Module>;
}
