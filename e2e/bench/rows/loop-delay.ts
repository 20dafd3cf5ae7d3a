import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { latestFirst } from '../../../shared/domain/library.ts';
import { defaultTimeouts } from '../../../shared/domain/workspace.ts';
import { startTeam, type Team } from '../../team.ts';
import { runEntry } from '../child.ts';
import { type HostCalls, openHostCalls } from '../host-calls.ts';
import { peakResidentMiB } from '../peak-resident.ts';
import type { Measured, Row, RowSettings } from '../row.ts';
import { type WatchedProgram, startWatched, startWatchedHost } from '../watched-host.ts';
import { serve, type Served } from './bulk.ts';

/**
 * For how long the host does not respond while a large library is listed, searched and tagged, a bulk download comes
 * in, samples are looked up and commented on, and jobs are watched: all at once.
 */
export const loopDelay: Row = {
  name: 'loop-delay',
  reference: 'an idle Node program running at the same time',
  limit: 'One SQLite transaction, reading a reply and writing one, each of which is a turn of the event loop.',
  aim: null,
  must: null,
  residentMustMiB: 600,
  longestMustMs: 50,
  measure: underAMix,
};

async function underAMix({ folder, quick }: RowSettings): Promise<Measured> {
  const data = join(folder, 'data');
  await mkdir(data);
  await runEntry('electron/bench.ts', ['stock-library', '--data', data, '--samples', quick ? '20000' : '200000']);
  const [served, team] = await Promise.all([
    serve(folder, { samples: quick ? 1_000 : 10_000, bytesEach: 4096 }),
    startTeam(join(folder, 'team'), { samples: 50, rights: 'read,comment' }),
  ]);
  const [host, idle] = [await startWatchedHost(folder), startWatched('e2e/bench/idle-program.ts', [])];
  try {
    await idle.program.printed(/ready/);
    const mix = new Mix(await openHostCalls(await host.newLink()), served, team);
    const { ours, theirs } = await whileMixed(host, idle, mix);
    return {
      ratio: ours.ms / Math.max(theirs.ms, shortestReported),
      residentMiB: await peakResidentMiB(host.program.pid),
      longest: [{ what: `host, in ${mix.asked} calls`, ...ours }],
    };
  } finally {
    await Promise.all([host.stop(), idle.stop(), team.stop()]);
  }
}

/** Below this, in milliseconds, the value shows only the timers' own unevenness. */
const shortestReported = 1;

async function whileMixed(host: WatchedProgram, idle: WatchedProgram, mix: Mix) {
  await mix.begin();
  // Until now they had to do with what was before.
  await Promise.all([host.standstill(), idle.standstill()]);
  await mix.run();
  const [ours, theirs] = await Promise.all([host.standstill(), idle.standstill()]);
  return { ours, theirs };
}

const listed = ['', 'invoice'] as const;
const hashesACall = 5_000;

class Mix {
  readonly #call: HostCalls;
  readonly #served: Served;
  readonly #team: Team;
  #teamId = '';
  #bulkId = 0;
  #isOver = false;
  asked = 0;

  constructor(call: HostCalls, served: Served, team: Team) {
    this.#call = call;
    this.#served = served;
    this.#team = team;
  }

  async begin(): Promise<void> {
    this.#teamId = await this.#addWorkspace('Team', this.#team.labUrl, this.#team.token);
    const workspaceId = await this.#addWorkspace('Archive', this.#served.baseUrl, 'bench');
    this.#bulkId = (await this.#call('bulk.create', { workspaceId })).id;
    const hashes = (await readFile(this.#served.set.listPath, 'utf8')).trim().split('\n');
    for (let at = 0; at < hashes.length; at += hashesACall)
      await this.#call('bulk.add', { id: this.#bulkId, hashes: hashes.slice(at, at + hashesACall) });
  }

  /** Until the bulk download is over; the rest continues as long. */
  async run(): Promise<void> {
    await this.#call('library.change', {
      selection: { kind: 'query', terms: [], except: [] },
      change: { add: ['case:bench'], remove: [] },
    });
    await this.#call('bulk.start', { id: this.#bulkId });
    const lines = [this.#watch(), this.#again((time) => this.#list(time)), this.#again((time) => this.#talk(time))];
    await Promise.all(lines.map((line) => line.finally(() => (this.#isOver = true))));
  }

  async #again(work: (time: number) => Promise<void>): Promise<void> {
    for (let time = 0; !this.#isOver; time += 1) {
      await work(time);
      this.asked += 1;
    }
  }

  async #watch(): Promise<void> {
    await this.#again(async () => {
      const { jobs } = await this.#call('jobs.list', {});
      const job = jobs.find(({ id }) => id === this.#bulkId);
      if (job === undefined || job.state === 'paused' || job.state === 'cancelled')
        throw new Error(`the bulk download is ${job?.state}: ${JSON.stringify(job?.failure)}`);
      this.#isOver ||= job.state === 'done';
      await this.#call('jobs.items', {
        id: this.#bulkId,
        filter: { states: [], find: '' },
        sort: { column: 'state', descending: false },
        offset: 0,
        limit: 200,
      });
    });
  }

  async #list(time: number): Promise<void> {
    const text = listed[time % listed.length] ?? '';
    const terms = text === '' ? [] : [{ field: 'text' as const, negated: false, value: text }];
    await this.#call('library.list', { terms, sort: latestFirst, moment: String(time), offset: 0, limit: 200 });
  }

  async #talk(time: number): Promise<void> {
    const md5 = this.#team.samples[time % this.#team.samples.length] ?? '';
    await this.#call('samples.lookup', { workspaceId: this.#teamId, hash: md5 });
    await this.#call('comments.send', {
      workspaceId: this.#teamId,
      md5,
      draft: { text: `remark ${time}`, parentId: null },
    });
  }

  async #addWorkspace(name: string, baseUrl: string, token: string): Promise<string> {
    const draft = {
      name,
      repository: { baseUrl, token: { kind: 'set' as const, token } },
      ruleEditor: null,
      allowHttp: true,
      trust: { kind: 'system' as const },
      timeouts: defaultTimeouts,
    };
    return (await this.#call('workspaces.add', draft)).id;
  }
}
