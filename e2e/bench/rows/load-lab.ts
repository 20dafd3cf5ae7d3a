import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eicarMd5 } from '../../eicar.ts';
import { generatedSamples } from '../../generated-samples.ts';
import { runEntry } from '../child.ts';
import { heldFlat } from '../heap.ts';
import { type AskedLab, askInTurn } from '../lab-client.ts';
import type { Measured, Row, RowSettings } from '../row.ts';
import { Stages } from '../stages.ts';
import { startWatched, type WatchedProgram } from '../watched-host.ts';

/**
 * A hundred clients of the lab at once, each with one request after the other of every kind, all answers looked at:
 * they wait for each other, and cost no more than one after the other.
 */
export const loadLab100: Row = {
  name: 'load-lab-100',
  reference: 'the same number of requests, by one client',
  limit:
    'The cores shared by clients and lab. Two files are scanned at a time, sixteen uploads accepted; other ' +
    'clients are asked to retry later.',
  aim: 1,
  must: 1.5,
  residentMustMiB: 600,
  longestMustMs: 50,
  measure: compare,
};

const clients = 100;
const samples = 300;

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  const data = join(folder, 'lab');
  await stock(folder, data);
  const token = (
    await runEntry('electron/lab.ts', ['token', 'add', '--rights', 'read,download,upload,comment,scan', '--data', data])
  ).trim();
  const watched = startWatched('electron/lab.ts', ['--port', '0', '--data', data]);
  try {
    const [, origin = ''] = await watched.program.printed(/(http:\/\/127\.0\.0\.1:\d+)\/repository/);
    const lab: AskedLab = { origin, token, samples: generatedSamples(samples, 'sample'), discussed: eicarMd5 };
    return await crowded(watched, new Crowd(lab), quick ? 4_200 : 21_000);
  } finally {
    await watched.stop();
  }
}

async function stock(folder: string, data: string): Promise<void> {
  const files = join(folder, 'files');
  await mkdir(files);
  const paths: string[] = [];
  for (const { name, bytes } of generatedSamples(samples, 'sample')) {
    paths.push(join(files, name));
    await writeFile(join(files, name), bytes);
  }
  await runEntry('electron/lab.ts', ['add', ...paths, '--data', data]);
}

/** The first look is taken after a third of the work, the last one after all of it. */
async function crowded(watched: WatchedProgram, crowd: Crowd, requests: number): Promise<Measured> {
  // It starts threads, and compiles the rules for the first time.
  await crowd.ask(1, 70);
  const alone = await crowd.ask(1, requests / 6);
  const stages = await Stages.begin(watched);
  const firstThird = await crowd.ask(clients, requests / 3);
  const first = await stages.heap();
  await crowd.ask(clients, requests / 3);
  const lastThird = await crowd.ask(clients, requests / 3);
  const last = await stages.heap();
  const { standstill, residentMiB } = await stages.over();
  const pace = { what: 'last third to first, time', value: lastThird / firstThird, must: 1.5 };
  const held = [...heldFlat('heap', { first, last, between: (requests * 2) / 3 }), pace];
  return {
    ratio: (firstThird + lastThird) / 2 / alone,
    residentMiB,
    longest: [{ what: `lab, ${crowd.turnedAway} deferred`, ...standstill }],
    held,
  };
}

class Crowd {
  readonly #lab: AskedLab;
  #number = 0;
  turnedAway = 0;

  constructor(lab: AskedLab) {
    this.#lab = lab;
  }

  /** So many at once, until so many requests were made by all of them. @returns seconds for each that was served */
  async ask(many: number, requests: number): Promise<number> {
    const [begun, end, awayBefore] = [performance.now(), this.#number + Math.floor(requests), this.turnedAway];
    await Promise.all(Array.from({ length: many }, () => this.#client(end)));
    return (performance.now() - begun) / 1000 / (Math.floor(requests) - (this.turnedAway - awayBefore));
  }

  async #client(end: number): Promise<void> {
    while (this.#number < end) {
      this.#number += 1;
      if ((await askInTurn(this.#lab, this.#number)) === 'busy') this.turnedAway += 1;
    }
  }
}
