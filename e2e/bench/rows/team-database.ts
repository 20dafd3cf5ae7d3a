import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { run } from '../child.ts';
import {
  endedChildrenSeconds,
  processorSeconds,
  processorSecondsWithChildren,
  processorTimeMissing,
} from '../processor-time.ts';
import { type Held, median, type Measured, type Row, type RowSettings } from '../row.ts';
import { missingForTeam, type ServedTeamLab, TeamPlace, teamServers } from '../team-place.ts';

const samplesOf = (quick: boolean): number => (quick ? 50_000 : 1_000_000);
let stocked: { samples: number; place: Promise<TeamPlace> } | null = null;

/** A team's database with a million generated samples: it takes minutes, and the rows of a run share it. */
function stockedPlace(quick: boolean): Promise<TeamPlace> {
  const samples = samplesOf(quick);
  if (stocked?.samples !== samples) stocked = { samples, place: TeamPlace.create(samples) };
  return stocked.place;
}

const atOnce = 4;

/** What a record costs, in processor time of all that works at it; the client of the lab is not measured. */
export const teamGetfile: Row = {
  name: 'team-getfile',
  reference:
    `processor time of pgbench -M prepared -c ${atOnce} and PostgreSQL for the same select, of a million samples; ` +
    'ours is that of the lab and PostgreSQL for as many getfile',
  limit:
    'HTTP, the token and the record as JSON, in one process of Node: half of the reference is pgbench, which is C ' +
    'and reads nothing of what it gets. The select is the same on both sides.',
  aim: null,
  must: 4,
  residentMustMiB: null,
  missing: async () => processorTimeMissing ?? (await missingForTeam('pgbench')()),
  measure: compareRecords,
};

async function compareRecords({ folder, quick }: RowSettings): Promise<Measured> {
  const place = await stockedPlace(quick);
  const { postgres, pgbench } = await teamServers();
  const samples = samplesOf(quick);
  const script = join(folder, 'record.sql');
  await writeFile(script, await place.reference('record-script', String(samples)));
  const lab = await place.serve();
  const requests = quick ? 2_000 : 10_000;
  const getFiles = (count: number): Promise<string> => {
    const many = [String(count), String(atOnce), String(samples)];
    return run(process.execPath, ['e2e/bench/team-client.ts', 'getfile', lab.action('getfile'), ...many]);
  };
  const selects = (count: number): Promise<string> => {
    const how = ['-n', '-M', 'prepared', '-c', String(atOnce), '-t', String(count / atOnce)];
    return run(pgbench, [...how, '-f', script, place.database]);
  };
  // The lab's code is compiled then.
  await Promise.all([getFiles(5_000), selects(requests)]);
  const ratios: number[] = [];
  for (let round = 0; round < (quick ? 3 : 7); round += 1) {
    const ours = await spentBy([() => processorSeconds(lab.pid), databaseSeconds(postgres)], () => getFiles(requests));
    // pgbench is this process's child alone, and has ended.
    const reference = await spentBy([endedChildrenSeconds, databaseSeconds(postgres)], () => selects(requests));
    ratios.push(ours / reference);
  }
  return { ratio: median(ratios), residentMiB: null };
}

const databaseSeconds = (pid: number) => (): number => processorSecondsWithChildren(pid);

async function spentBy(clocks: readonly (() => number)[], work: () => Promise<unknown>): Promise<number> {
  const now = (): number => clocks.reduce((sum, clock) => sum + clock(), 0);
  const before = now();
  await work();
  return now() - before;
}

/** Each with the order in which it lists. */
const searches: readonly { what: string; query: string; order: string }[] = [
  { what: 'common tag', query: 'tag:source:s7', order: 'newest' },
  { what: 'part of a name', query: 'name:*oice_a1*', order: 'newest' },
  { what: 'threat and age', query: 'threat:emotet seen:<90d', order: 'newest' },
  { what: 'words of a comment', query: 'comment:"cobalt beacon"', order: 'newest' },
  {
    what: 'OR and NOT by size',
    query: '(tag:family:emotet OR name:payload*) -tag:os:linux size:>100kB',
    order: 'largest',
  },
];

/** From the request of a client to the whole of the reply, over HTTP, with 50 records. */
export const teamSearch1m: Row = {
  name: 'team-search-1m',
  reference: 'none: the median time of a search of a million samples, by HTTP; the processor time of lab and database',
  limit:
    'Counting up to 1,000: PostgreSQL reads the whole lists of an index for a count, and only the beginning of one ' +
    'for a page. Other work on the machine makes the times longer, and the processor times hardly.',
  aim: null,
  must: null,
  residentMustMiB: null,
  missing: async () => processorTimeMissing ?? (await missingForTeam()()),
  measure: measureSearches,
};

const found = z.object({ files: z.array(z.object({ md5: z.string() })).min(1) });

const mostMs = 50;

async function measureSearches({ quick }: RowSettings): Promise<Measured> {
  const place = await stockedPlace(quick);
  const { postgres } = await teamServers();
  const lab = await place.serve();
  const spent = (): number => processorSeconds(lab.pid) + processorSecondsWithChildren(postgres);
  const counts = quick ? 5 : 31;
  const held: Held[] = [];
  for (const { what, query, order } of searches) {
    const search = (): Promise<number> =>
      searchMs(`${lab.action('searchfiles')}&${new URLSearchParams({ query, order }).toString()}`);
    // They open connections, and read pages for the first time.
    for (let count = 0; count < 5; count += 1) await search();
    const before = spent();
    const times: number[] = [];
    for (let count = 0; count < counts; count += 1) times.push(await search());
    const processorMs = ((spent() - before) / counts) * 1000;
    held.push(
      { what: `${what}, ms`, value: median(times), must: mostMs },
      { what: `${what}, processor ms`, value: processorMs, must: mostMs },
    );
  }
  return { ratio: null, residentMiB: null, held };
}

async function searchMs(url: string): Promise<number> {
  const begun = performance.now();
  const reply = await (await fetch(url)).text();
  const ms = performance.now() - begun;
  found.parse(JSON.parse(reply));
  return ms;
}

const readyWithinSeconds = 2;

/** From the start of the process until a balancer would send it requests. */
export const teamStart: Row = {
  name: 'team-start',
  reference: 'node -e 0; ours with a million samples, until /readyz answers 200',
  limit:
    'Reading the sources of the lab and its libraries, which run as they are; Node alone is 1. How many samples ' +
    'there are does not matter.',
  aim: null,
  must: null,
  residentMustMiB: null,
  missing: async () => processorTimeMissing ?? (await missingForTeam()()),
  measure: compareStarts,
};

async function compareStarts({ quick }: RowSettings): Promise<Measured> {
  const place = await stockedPlace(quick);
  const [times, spent, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < (quick ? 3 : 11); round += 1) {
    const reference = await secondsOf(() => run(process.execPath, ['-e', '0']));
    const begun = performance.now();
    const lab = await place.serve();
    while (!(await isReady(lab))) await delay(10);
    times.push((performance.now() - begun) / 1000);
    spent.push(processorSeconds(lab.pid));
    ratios.push((times.at(-1) ?? 0) / reference);
    await lab.stop();
  }
  const held = [
    { what: 'until ready, seconds', value: median(times), must: readyWithinSeconds },
    { what: 'until ready, processor seconds', value: median(spent), must: readyWithinSeconds },
  ];
  return { ratio: median(ratios), residentMiB: null, held };
}

const isReady = async ({ origin }: ServedTeamLab): Promise<boolean> => (await fetch(`${origin}/readyz`)).ok;

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}
