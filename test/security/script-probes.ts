import type { Targets } from './canaries.js';
import { type Goal, type Probe, runJavaScript, showsPermission } from './probe.js';

const script = (
  goal: Goal,
  name: string,
  body: (t: Targets) => string,
  control: Probe['control'] = 'node',
): Probe => ({
  name,
  goal,
  control,
  code: (targets) => runJavaScript(body(targets)),
  javascript: true,
});
const proof = (t: Targets): string => `"${t.proof[0]}" + "${t.proof[1]}"`;
const deno = (goal: Goal, name: string, body: (t: Targets) => string): Probe =>
  script(goal, name, body, 'deno');

/** Attacks by JavaScript of the attacker's own, in a thread whose event loop turns: modules, promises, sockets. */
export const SCRIPT_PROBES: readonly Probe[] = [
  script(
    'file',
    'import of node:fs',
    (t) => `return (await import("node:fs")).readFileSync("${t.file}", "utf8");`,
  ),
  script(
    'file',
    'node:fs/promises',
    (t) => `return (await import("node:fs/promises")).readFile("${t.file}", "utf8");`,
  ),
  script(
    'file',
    'process.getBuiltinModule',
    (t) => `
    const { default: process } = await import("node:process");
    return process.getBuiltinModule("fs").readFileSync("${t.file}", "utf8");`,
  ),
  script('file', 'import of a file', (t) => `return (await import("file://${t.module}")).secret;`),
  script(
    'file',
    'require',
    (t) => `
    const { createRequire } = await import("node:module");
    return createRequire("file://${t.folder}/x.js")("./secret.mjs").secret ?? createRequire("file:///x.js")("node:fs").readFileSync("${t.file}", "utf8");`,
  ),
  script('file', 'fs.readdirSync', (t) => `return (await import("node:fs")).readdirSync("${t.folder}");`),
  script(
    'file',
    'fs.opendirSync',
    (t) =>
      `return (await import("node:fs")).opendirSync("${t.folder}").readSync().name + (await import("node:fs")).readdirSync("${t.folder}");`,
  ),
  script(
    'file',
    'a stream',
    (t) => `
    const chunks = [];
    for await (const chunk of (await import("node:fs")).createReadStream("${t.file}")) chunks.push(String(chunk));
    return chunks.join("");`,
  ),
  script(
    'file',
    'fs.openAsBlob',
    (t) => `return (await (await import("node:fs")).openAsBlob("${t.file}")).text();`,
  ),
  script(
    'file',
    'a worker thread',
    (t) => `
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker('require("node:worker_threads").parentPort.postMessage(require("node:fs").readFileSync("${t.file}", "utf8"))', { eval: true });
    return new Promise((resolve, reject) => { worker.on("message", resolve); worker.on("error", reject); });`,
  ),
  script('write', 'fs.writeFileSync', (t) => `(await import("node:fs")).writeFileSync("${t.marker}", "x");`),
  script(
    'write',
    'fs.symlinkSync',
    (t) => `(await import("node:fs")).symlinkSync("/etc/hostname", "${t.marker}");`,
  ),
  deno('write', 'a heap snapshot', (t) => `(await import("node:v8")).writeHeapSnapshot("${t.marker}");`),
  script('environment', 'node:process', (t) => `return (await import("node:process")).env["${t.variable}"];`),
  script(
    'environment',
    '/proc',
    (t) => `return (await import("node:fs")).readFileSync("/proc/${t.holder}/environ", "utf8");`,
  ),
  script(
    'environment',
    'a worker thread with a copy',
    (t) => `
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker('require("node:worker_threads").parentPort.postMessage(process.env["${t.variable}"])', { eval: true });
    return new Promise((resolve, reject) => { worker.on("message", resolve); worker.on("error", reject); });`,
  ),
  script(
    'network',
    'node:net',
    (t) => `
    const net = await import("node:net");
    return new Promise((resolve, reject) => net.connect(${t.tcpPort}, "127.0.0.1").on("data", (d) => resolve(String(d))).on("error", reject));`,
  ),
  script(
    'network',
    'node:net to a unix socket',
    (t) => `
    const net = await import("node:net");
    return new Promise((resolve, reject) => net.connect("${t.socket}").on("data", (d) => resolve(String(d))).on("error", reject));`,
  ),
  script(
    'network',
    'node:net to an abstract socket',
    (t) => `
    const net = await import("node:net");
    return new Promise((resolve, reject) => net.connect("\\0${t.abstractSocket}").on("data", (d) => resolve(String(d))).on("error", reject));`,
  ),
  script(
    'network',
    'node:dgram',
    (t) => `
    const socket = (await import("node:dgram")).createSocket("udp4");
    await Promise.race([
      new Promise((resolve, reject) => { socket.on("error", reject); socket.send("x", ${t.udpPort}, "127.0.0.1", (error) => error ? reject(error) : resolve()); }),
      new Promise((resolve) => setTimeout(resolve, 500)),
    ]);
    socket.close();`,
  ),
  script(
    'network',
    'node:http',
    (t) => `
    const http = await import("node:http");
    return new Promise((resolve, reject) => http.get("http://127.0.0.1:${t.tcpPort}/", (r) => r.on("data", (d) => resolve(String(d)))).on("error", reject));`,
  ),
  script(
    'network',
    'node:dns',
    (t) => `
    const { Resolver } = (await import("node:dns")).promises;
    const resolver = new Resolver({ timeout: 300, tries: 1 });
    resolver.setServers(["127.0.0.1:${t.udpPort}"]);
    await resolver.resolve4("canary.test");`,
  ),
  script('network', 'fetch', (t) => `return (await fetch("http://127.0.0.1:${t.tcpPort}/")).text();`),
  showsPermission(
    script(
      'network',
      'the inspector',
      (t) => `
    const inspector = await import("node:inspector");
    inspector.open(0, "127.0.0.1");
    const found = inspector.url();
    inspector.close();
    return found ? ${proof(t)} : "no address";`,
    ),
  ),
  script(
    'process',
    'node:child_process',
    (t) => `(await import("node:child_process")).execFileSync("touch", ["${t.marker}"]);`,
  ),
  script(
    'process',
    'fork of node:child_process',
    (t) => `
    const { spawnSync } = await import("node:child_process");
    const { default: process } = await import("node:process");
    spawnSync(process.execPath, ["-e", "require('node:fs').writeFileSync('${t.marker}', '')"]);`,
  ),
  script('process', 'process.kill', (t) => `(await import("node:process")).kill(${t.victim}, "SIGTERM");`),

  deno('file', 'Deno.readTextFile', (t) => `return Deno.readTextFile("${t.file}");`),
  deno('file', 'fetch of a file', (t) => `return (await fetch("file://${t.file}")).text();`),
  deno('file', 'import of a file as text', (t) => `return (await import("file://${t.module}")).secret;`),
  deno(
    'file',
    'a worker from a file',
    (t) => `
    const inner = new Worker("data:application/javascript," + encodeURIComponent('import { secret } from "file://${t.module}"; postMessage(secret)'), { type: "module" });
    return new Promise((resolve, reject) => { inner.onmessage = (e) => resolve(e.data); inner.onerror = (e) => { e.preventDefault(); reject(e.message); }; });`,
  ),
  deno(
    'file',
    'a database attached by node:sqlite',
    (t) => `
    const { DatabaseSync } = await import("node:sqlite");
    new DatabaseSync(":memory:").exec("attach database '${t.marker}' as x; create table x.t (a); insert into x.t values (1)");`,
  ),
  deno(
    'write',
    'a database of node:sqlite',
    (t) => `
    const { DatabaseSync } = await import("node:sqlite");
    new DatabaseSync("${t.marker}").exec("create table t (a)");`,
  ),
  deno(
    'write',
    'vacuum into a file',
    (t) => `
    const { DatabaseSync } = await import("node:sqlite");
    new DatabaseSync(":memory:").exec("create table t (a); vacuum into '${t.marker}'");`,
  ),
  deno('write', 'Deno.writeTextFile', (t) => `await Deno.writeTextFile("${t.marker}", "x");`),
  deno('write', 'Deno.open', (t) => `await Deno.open("${t.marker}", { write: true, create: true });`),
  deno('environment', 'Deno.env', (t) => `return Deno.env.get("${t.variable}");`),
  deno(
    'network',
    'Deno.connect',
    (t) => `
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: ${t.tcpPort} });
    const buffer = new Uint8Array(500);
    await connection.read(buffer);
    return new TextDecoder().decode(buffer);`,
  ),
  deno(
    'network',
    'Deno.connect to a unix socket',
    (t) => `await Deno.connect({ transport: "unix", path: "${t.socket}" });`,
  ),
  deno(
    'network',
    'Deno.resolveDns',
    (t) => `
    await Promise.race([
      Deno.resolveDns("canary.test", "A", { nameServer: { ipAddr: "127.0.0.1", port: ${t.udpPort} } }),
      new Promise((resolve) => setTimeout(resolve, 500)),
    ]);`,
  ),
  showsPermission(
    deno(
      'network',
      'Deno.serve',
      (t) => `
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => new Response("x"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const port = server.addr.port;
    await server.shutdown();
    return port > 0 ? ${proof(t)} : "no port";`,
    ),
  ),
  deno(
    'network',
    'an EventSource',
    (t) => `
    const source = new EventSource("http://127.0.0.1:${t.tcpPort}/");
    await new Promise((resolve) => { source.onerror = resolve; source.onopen = resolve; });
    source.close();`,
  ),
  deno(
    'network',
    'a WebSocket',
    (t) => `
    const socket = new WebSocket("ws://127.0.0.1:${t.tcpPort}/");
    await new Promise((resolve) => { socket.onerror = resolve; socket.onopen = resolve; });`,
  ),
  deno(
    'process',
    'Deno.Command',
    (t) => `await new Deno.Command("touch", { args: ["${t.marker}"] }).output();`,
  ),
  deno(
    'process',
    'Deno.dlopen',
    (t) => `
    Deno.dlopen("libc.so.6", { kill: { parameters: ["i32", "i32"], result: "i32" } }).symbols.kill(${t.victim}, 15);`,
  ),
];
