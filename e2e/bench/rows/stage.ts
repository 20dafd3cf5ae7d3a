import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry } from '../child.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';
import { settled } from './bulk.ts';

const fileBytes = 4096;

/** Many small files, hashed where they are. */
export const stage10k: Row = {
  name: 'stage-10k',
  reference: 'md5sum *; sha1sum *; sha256sum *',
  limit: 'Opening ten thousand files, and three hashes of each on two threads: that alone comes to 0.42.',
  aim: 0.5,
  must: 0.8,
  residentMustMiB: null,
  measure: (settings) => compare(settings, ({ hashingSeconds }) => hashingSeconds),
};

/**
 * The same until they are in a draft: kept in the database, compared with each other. Their types are found afterwards.
 */
export const draft10k: Row = {
  name: 'draft-10k',
  reference: 'md5sum *; sha1sum *; sha256sum *',
  limit: 'Rows in the database, and comparing every file with known ones, in addition to hashing.',
  aim: null,
  must: null,
  residentMustMiB: null,
  measure: (settings) => compare(settings, ({ draftSeconds }) => draftSeconds),
};

/** A ZIP of many small members, opened into a draft. */
export const open5k: Row = {
  name: 'open-5k',
  reference: '7z x; md5sum, sha1sum and sha256sum of the members',
  limit:
    'An encrypted container for each member, and its entry in the draft. Both sides create 5,000 files: if the ' +
    'system has to allocate memory for those first, the ratio varies between 1.9 and 4.',
  aim: 1.5,
  must: 3,
  residentMustMiB: null,
  async measure({ folder, quick }) {
    const count = quick ? 1000 : 5000;
    const files = await writeFiles(join(folder, 'files'), count, fileBytes);
    const archive = join(folder, 'members.zip');
    await run('sh', ['-euc', 'cd "$0"; 7z a -bso0 -bsp0 -tzip "$1" .', files, archive]);
    const ratios: number[] = [];
    for (let round = 0; round < (quick ? 3 : 5); round += 1) {
      await settled();
      const ours = openReceipt.parse(
        JSON.parse(
          await runEntry('electron/bench.ts', [
            'open',
            '--data',
            join(folder, `data-${round}`),
            '--archive',
            archive,
            '--members',
            String(count),
          ]),
        ),
      );
      const unpacked = join(folder, `unpacked-${round}`);
      await settled();
      const begun = performance.now();
      await run('7z', ['x', '-bso0', '-bsp0', `-o${unpacked}`, archive]);
      const unpackedSeconds = (performance.now() - begun) / 1000;
      const reference = await summed(join(folder, `reference-${round}`), unpacked);
      if (ours.listing !== reference.listing) throw new Error('the draft has other hashes than the reference');
      ratios.push(ours.seconds / (unpackedSeconds + reference.seconds));
    }
    return { ratio: median(ratios), residentMiB: null };
  },
};

async function compare(
  { folder, quick }: RowSettings,
  secondsOf: (ours: z.infer<typeof receipt>) => number,
): Promise<Measured> {
  const files = await writeFiles(join(folder, 'files'), quick ? 1000 : 10_000, fileBytes);
  const ratios: number[] = [];
  const resident: number[] = [];
  for (let round = 0; round < (quick ? 3 : 5); round += 1) {
    const ours = await staged(join(folder, `data-${round}`), files);
    const reference = await summed(join(folder, `reference-${round}`), files);
    if (ours.listing !== reference.listing) throw new Error('the draft has other hashes than the reference');
    ratios.push(secondsOf(ours) / reference.seconds);
    resident.push(ours.residentMiB);
  }
  return { ratio: median(ratios), residentMiB: Math.max(...resident) };
}

/** @returns the folder */
export async function writeFiles(folder: string, count: number, bytes: number): Promise<string> {
  await mkdir(folder);
  for (let number = 0; number < count; number += 1)
    await writeFile(join(folder, `sample-${number}`), randomBytes(bytes));
  return folder;
}

const openReceipt = z.object({ seconds: z.number(), listing: z.string() });
const receipt = z.object({
  hashingSeconds: z.number(),
  draftSeconds: z.number(),
  residentMiB: z.number(),
  listing: z.string(),
});

/** Into a data directory of its own, which stays: deleting much slows down whatever comes next. */
async function staged(data: string, files: string): Promise<z.infer<typeof receipt>> {
  await settled();
  return receipt.parse(JSON.parse(await runEntry('electron/bench.ts', ['stage', '--data', data, '--files', files])));
}

const sums = ['md5sum', 'sha1sum', 'sha256sum'] as const;
const script = `cd "$0"; for each in ${sums.join(' ')}; do ls | xargs "$each" > "$1/$each"; done`;

async function summed(folder: string, files: string): Promise<{ seconds: number; listing: string }> {
  await mkdir(folder);
  await settled();
  const begun = performance.now();
  await run('sh', ['-euc', script, files, folder]);
  const seconds = (performance.now() - begun) / 1000;
  const printed = await Promise.all(
    sums.map(async (sum) => (await readFile(join(folder, sum), 'utf8')).trim().split('\n')),
  );
  return { seconds, listing: listingOf(printed) };
}

/** As our own: `md5 sha1 sha256 name` of each, a line each, sorted. */
function listingOf(printed: readonly string[][]): string {
  const [md5s = [], ...others] = printed;
  const lines = md5s.map((line, at) => {
    const [md5, name] = line.split('  ');
    return `${[md5, ...others.map((sum) => sum[at]?.split('  ')[0]), name].join(' ')}\n`;
  });
  return createHash('sha256').update(lines.toSorted().join('')).digest('hex');
}
