// @ts-check
/** Inside the throw-away namespace: takes one job on standard input, writes its result as JSON on standard output. */
import { text } from 'node:stream/consumers';
import { runCase } from './run-case.mjs';
import { warm } from './warm.mjs';

const job = JSON.parse(await text(process.stdin));
const result = 'warm' in job ? await warm(job.warm) : await runCase(job);
process.stdout.write(JSON.stringify(result), () => process.exit(0));
