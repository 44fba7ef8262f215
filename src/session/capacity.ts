import { availableParallelism } from 'node:os';
import { MIB } from '../core/limits.js';
import type { AdmissionOptions } from './admission.js';

/** Runs beyond these share the cores badly. */
const PLACES_PER_CORE = 4;
/** As many as a server has sessions; more only where there are more places. */
const MOST_BEHIND = 100;
/** Runs behind cost no processor time that anybody else wants, but memory: for so many runs at their limit some has to be left. */
const RUNS_TO_SPARE = 2;
/** What waits costs its code and values only. */
const WAITING_OF_ONE = 200;
const WAITING = 1_000;

/** What this machine takes at a time, when a run may have `memoryMb` MiB. */
export function capacityOf(memoryMb: number): AdmissionOptions {
  const places = availableParallelism() * PLACES_PER_CORE;
  return {
    places,
    background: Math.max(places, MOST_BEHIND),
    // Of the container, where there is a limit.
    hasMemory: () => process.availableMemory() > RUNS_TO_SPARE * memoryMb * MIB,
    waitingOfOne: WAITING_OF_ONE,
    waiting: WAITING,
  };
}
