import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry } from '../child.ts';
import { median, type Row } from '../row.ts';
import type { SampleSet } from '../sample-set.ts';
import { bulkInto, serve, settled } from './bulk.ts';

const mib = 1024 * 1024;

/** Samples from the vault as one sealed, signed file: decrypted, verified, sealed again. */
export const bundle1g: Row = {
  name: 'bundle-1g',
  reference: 'tar | openssl enc -aes-256-ctr; sync, of the same as plain files',
  limit:
    'Every byte is decrypted, hashed and sealed again, in one stream after the other. The key is derived by ' +
    'scrypt, which is deliberately slow and counts most for small bundles.',
  aim: 1.5,
  must: 2.5,
  residentMustMiB: 450,
  async measure({ folder, quick }) {
    const data = join(folder, 'data');
    const { set, baseUrl } = await serve(folder, { samples: 200, bytesEach: quick ? mib : 5 * mib }, true);
    await bulkInto(data, { set, baseUrl });
    const ratios: number[] = [];
    const resident: number[] = [];
    for (let count = 0; count < (quick ? 3 : 5); count += 1) {
      const reference = await referenceSeconds(join(folder, `reference-${count}`), set);
      const ours = await bundleInto(join(folder, `exports-${count}`), data, set);
      ratios.push(ours.seconds / reference);
      resident.push(ours.residentMiB);
    }
    return { ratio: median(ratios), residentMiB: Math.max(...resident) };
  },
};

const key = 'ab'.repeat(32);
const counter = 'cd'.repeat(16);

async function referenceSeconds(path: string, { plainFolder }: SampleSet): Promise<number> {
  await settled();
  const begun = performance.now();
  await run('sh', [
    '-euc',
    `tar -C "$1" -cf - . | openssl enc -aes-256-ctr -K ${key} -iv ${counter} -out "$0"; sync "$0"`,
    path,
    plainFolder ?? '',
  ]);
  return (performance.now() - begun) / 1000;
}

const receipt = z.object({ seconds: z.number(), residentMiB: z.number(), withBytes: z.number(), bytes: z.number() });

/** A bundle that cannot be read to its end, or lacks a sample, has no time worth telling. */
async function bundleInto(
  exports: string,
  data: string,
  { samples, totalBytes }: SampleSet,
): Promise<z.infer<typeof receipt>> {
  await mkdir(exports);
  await settled();
  const ours = receipt.parse(
    JSON.parse(await runEntry('electron/bench.ts', ['bundle', '--data', data, '--exports', exports])),
  );
  if (ours.withBytes !== samples || ours.bytes !== totalBytes)
    throw new Error(`the bundle has ${ours.withBytes} samples of ${ours.bytes} bytes`);
  return ours;
}
