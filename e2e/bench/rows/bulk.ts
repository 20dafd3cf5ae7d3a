import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry, startServer } from '../child.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';
import { type SampleSet, type SampleSetSize, writeSampleSet } from '../sample-set.ts';

const mib = 1024 * 1024;
export const bulkReference = 'curl -so z.zip; unzip -qo z.zip; md5sum *';

/** Large samples, a few lists of them: inflated, hashed three ways, verified, encrypted, on the disk. */
export const bulk1g: Row = {
  name: 'bulk-1g',
  reference: bulkReference,
  limit:
    'Inflating and MD5, in as many workers as there are processors. The workers alone, without library, journal ' +
    'and job, come to 0.45.',
  aim: 0.5,
  must: 0.8,
  residentMustMiB: 450,
  measure: (settings) => ratioOver(settings, { samples: 200, bytesEach: settings.quick ? mib : 5 * mib }),
};

/** Five times as much, the same memory. */
export const bulk5g: Row = {
  name: 'bulk-5g',
  reference: 'memory only',
  limit: 'The amount of data in flight, which is bounded in bytes: five times as much takes no more memory.',
  aim: null,
  must: null,
  residentMustMiB: 450,
  onlyFull: true,
  measure: memoryOf5g,
};

/** Small samples, many lists of them: what each costs besides its bytes. */
export const bulk10k: Row = {
  name: 'bulk-10k',
  reference: bulkReference,
  limit:
    'The cost of each sample in addition to its bytes: a row in library, job and journal, and messages between ' +
    'threads; in the reference, creating a file. Packs alone, synced, without messages, come to 0.76.',
  aim: 1.2,
  must: 2.5,
  residentMustMiB: null,
  measure: (settings) => ratioOver(settings, { samples: settings.quick ? 1000 : 10_000, bytesEach: 4096 }),
};

async function memoryOf5g({ folder, quick }: RowSettings): Promise<Measured> {
  const served = await serve(folder, { samples: quick ? 100 : 1000, bytesEach: 5 * mib });
  const { residentMiB } = await bulkInto(join(folder, 'data'), served);
  return { ratio: null, residentMiB };
}

async function ratioOver({ folder, quick }: RowSettings, size: SampleSetSize): Promise<Measured> {
  const served = await serve(folder, size);
  const ratios: number[] = [];
  const resident: number[] = [];
  for (let count = 0; count < (quick ? 3 : 5); count += 1) {
    const ours = await bulkInto(join(folder, `data-${count}`), served);
    const seconds = await referenceSeconds(join(folder, `reference-${count}`), served);
    ratios.push(ours.seconds / seconds);
    resident.push(ours.residentMiB);
  }
  return { ratio: median(ratios), residentMiB: Math.max(...resident) };
}

export interface Served {
  baseUrl: string;
  set: SampleSet;
}

export async function serve(folder: string, size: SampleSetSize, withPlain = false): Promise<Served> {
  const set = await writeSampleSet(folder, size, withPlain);
  const { match } = await startServer(
    'e2e/bench/archive-server.ts',
    [set.entriesPath, set.indexPath],
    /^listening on (\d+)$/,
  );
  return { set, baseUrl: `http://127.0.0.1:${match[1]}` };
}

const receipt = z.object({ job: z.number(), seconds: z.number(), residentMiB: z.number(), listing: z.string() });

/**
 * Into a data directory of its own, which stays: deleting much slows down whatever comes next. One that is not exact
 * has no time worth telling.
 */
export async function bulkInto(data: string, { baseUrl, set }: Served): Promise<z.infer<typeof receipt>> {
  await settled();
  const ours = receipt.parse(
    JSON.parse(
      await runEntry('electron/bench.ts', ['bulk', '--base-url', baseUrl, '--list', set.listPath, '--data', data]),
    ),
  );
  if (ours.listing !== set.listing) throw new Error('the library lists other samples than were served');
  return ours;
}

const script =
  'cd "$0"; mkdir zips files; curl -sfg -K asked; cd files; for zip in ../zips/*; do unzip -qo "$zip"; done; ' +
  'ls | xargs md5sum';

/** The same archives as ours asked for before. */
export async function referenceSeconds(folder: string, { baseUrl, set }: Served): Promise<number> {
  const asked = z
    .array(z.string())
    .min(1)
    .parse(await (await fetch(`${baseUrl}/asked`)).json());
  await mkdir(folder);
  await writeFile(
    join(folder, 'asked'),
    asked.map((path, at) => `url = "${baseUrl}${path}"\noutput = "zips/${at}.zip"\n`).join(''),
  );
  await settled();
  const begun = performance.now();
  const summed = await run('sh', ['-euc', script, folder]);
  const seconds = (performance.now() - begun) / 1000;
  const sound = summed.split('\n').filter((line) => /^([0-9a-f]{32}) {2}\1$/.test(line));
  if (sound.length !== set.samples) throw new Error(`the reference has ${sound.length} of ${set.samples} samples`);
  return seconds;
}

/** The next measured program does not pay for the pending writes of the one before. */
export const settled = async (): Promise<void> => void (await run('sync', []));
