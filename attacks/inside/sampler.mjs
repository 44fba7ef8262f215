// @ts-check
import { statfsSync } from 'node:fs';
import { below, residentBytes } from './processes.mjs';

const EVERY_MS = 100;

/** Watches the server while a case runs: the most memory, processes and disk over what there was at the start. */
export class Sampler {
  #pid;
  #folders;
  #start;
  #peak;
  #timer;

  /** @param {number} pid @param {readonly string[]} folders whose file systems are watched. */
  constructor(pid, folders) {
    this.#pid = pid;
    this.#folders = folders;
    this.#start = this.#look();
    this.#peak = { ...this.#start };
    this.#timer = setInterval(() => this.#sample(), EVERY_MS);
  }

  /** In bytes, now. */
  get rssLeft() {
    return residentBytes(this.#pid) - this.#start.rss;
  }

  /** In bytes. */
  get rssGrowth() {
    this.#sample();
    return this.#peak.rss - this.#start.rss;
  }

  get processGrowth() {
    this.#sample();
    return this.#peak.processes - this.#start.processes;
  }

  /** In bytes. */
  get diskGrowth() {
    this.#sample();
    return this.#peak.disk - this.#start.disk;
  }

  stop() {
    clearInterval(this.#timer);
  }

  #look() {
    const disk = this.#folders.reduce((sum, folder) => {
      const { blocks, bfree, bsize } = statfsSync(folder);
      return sum + (blocks - bfree) * bsize;
    }, 0);
    return { rss: residentBytes(this.#pid), processes: below(this.#pid).length, disk };
  }

  #sample() {
    const now = this.#look();
    for (const key of /** @type {const} */ (['rss', 'processes', 'disk']))
      this.#peak[key] = Math.max(this.#peak[key], now[key]);
  }
}
