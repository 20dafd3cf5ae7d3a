import { availableParallelism } from 'node:os';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { processorSeconds, processorTimeMissing } from '../processor-time.ts';
import { type Held, type Measured, type Row, type RowSettings } from '../row.ts';
import { missingForTeam, type TeamPlace } from '../team-place.ts';
import { uploadedPlace } from './team-transfers.ts';

/**
 * What pieces, their queue and the rows of hits cost beside scanning; and, where there are processors for it, whether
 * two workers are faster than one.
 */
export const teamHunt10k: Row = {
  name: 'team-hunt-10k',
  reference:
    'processor time of the same scans one after the other, without a queue; ours is that of one worker for a hunt ' +
    'of 10,000 samples of 8 KiB with 6 rules',
  limit:
    'Scanning, which is the same on both sides. A piece of 500 samples has a job, and a transaction a second keeps ' +
    'what was found.',
  aim: null,
  must: 1.1,
  residentMustMiB: null,
  missing: async () => processorTimeMissing ?? (await missingForTeam()()),
  measure: compareHunts,
};

const loop = z.object({ processorSeconds: z.number(), samples: z.number(), hits: z.number() });
/** Two, a processor for the store and one for the database. */
const processorsForTwo = 4;

async function compareHunts({ folder, quick }: RowSettings): Promise<Measured> {
  const { samples, place } = await uploadedPlace(quick ? 900 : 10_000);
  await publish(place, folder);
  // Once: it takes minutes, and processor times over so long differ little.
  const ours = await hunt(place, 1);
  const reference = loop.parse(JSON.parse(await place.reference('scan-loop', place.database, place.blobs)));
  if (ours.done !== samples || reference.samples !== samples || ours.hits !== reference.hits)
    throw new Error(`of ${samples} samples, ${ours.done} were scanned; hits: ${ours.hits} and ${reference.hits}`);
  const held = availableParallelism() < processorsForTwo ? [] : [await twoToOne(place)];
  return { ratio: ours.processorSeconds / reference.processorSeconds, residentMiB: null, held };
}

async function twoToOne(place: TeamPlace): Promise<Held> {
  const [one, two] = [await hunt(place, 1), await hunt(place, 2)];
  return { what: 'two workers to one, time', value: two.seconds / one.seconds, must: 1 / 1.7 };
}

const marks = Array.from(
  { length: 5 },
  (_, number) => `rule mark_${number} {
  strings:
    $mark = "mark-${number}-of-a-family"
    $wide = "wide-${number}" wide
    $code = { 6A 40 68 00 30 0${number} ?? 00 6A }
  condition:
    any of them
}`,
);

/** One of them hits every twentieth sample. */
async function publish(place: TeamPlace, folder: string): Promise<void> {
  const path = join(folder, 'rules.yar');
  await writeFile(path, [...marks, 'rule beginning { condition: uint8(0) < 13 }'].join('\n'));
  await place.command('publish', '--version', '1', '--group', 'Release', path);
}

interface Hunted {
  processorSeconds: number;
  seconds: number;
  done: number;
  hits: number;
}

/** Each worker is a new one, as the reference is: rules are compiled within the time. */
async function hunt(place: TeamPlace, count: number): Promise<Hunted> {
  const workers = Array.from({ length: count }, () => place.start('work', '--lanes', '1'));
  await Promise.all(workers.map((worker) => worker.printed(/"message":"working"/)));
  const spent = (): number => workers.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);
  const [begun, before] = [performance.now(), spent()];
  const printed = await place.command('hunt');
  const [seconds, processor] = [(performance.now() - begun) / 1000, spent() - before];
  await Promise.all(workers.map((worker) => worker.stop('SIGTERM')));
  const [, done = '', hits = ''] = /: done, (\d+) of \d+ samples, (\d+) hits, 0 failed/.exec(printed) ?? [];
  return { processorSeconds: processor, seconds, done: Number(done), hits: Number(hits) };
}
