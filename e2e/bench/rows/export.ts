import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry } from '../child.ts';
import { median, type Row } from '../row.ts';
import type { SampleSet } from '../sample-set.ts';
import { bulkInto, serve, settled } from './bulk.ts';

const mib = 1024 * 1024;

/** Samples from the vault as one password ZIP: decrypted, verified, encrypted again. */
export const export1g: Row = {
  name: 'export-1g',
  reference: '7z a -pinfected -mem=AES256 -tzip -mx=0, of the same as plain files',
  limit: 'HMAC-SHA-1 over every byte, as the format requires, and the disk: both sides write all that they read.',
  aim: 0.8,
  must: 1.5,
  residentMustMiB: null,
  async measure({ folder, quick }) {
    const data = join(folder, 'data');
    const { set, baseUrl } = await serve(folder, { samples: 200, bytesEach: quick ? mib : 5 * mib }, true);
    const { job } = await bulkInto(data, { set, baseUrl });
    const ratios: number[] = [];
    const resident: number[] = [];
    for (let count = 0; count < (quick ? 3 : 5); count += 1) {
      const reference = await referenceSeconds(join(folder, `reference-${count}.zip`), set);
      const ours = await exportInto(join(folder, `exports-${count}`), data, job, set);
      ratios.push(ours.seconds / reference);
      resident.push(ours.residentMiB);
    }
    return { ratio: median(ratios), residentMiB: Math.max(...resident) };
  },
};

async function referenceSeconds(path: string, { plainFolder }: SampleSet): Promise<number> {
  await settled();
  const begun = performance.now();
  await run('sh', [
    '-euc',
    'cd "$1"; 7z a -bd -bso0 -pinfected -mem=AES256 -tzip -mx=0 "$0" .',
    path,
    plainFolder ?? '',
  ]);
  return (performance.now() - begun) / 1000;
}

const receipt = z.object({ seconds: z.number(), residentMiB: z.number(), fileName: z.string() });

/** An archive that another program does not open, or that is not whole, has no time worth telling. */
async function exportInto(
  exports: string,
  data: string,
  job: number,
  { samples, totalBytes }: SampleSet,
): Promise<z.infer<typeof receipt>> {
  await mkdir(exports);
  await settled();
  const ours = receipt.parse(
    JSON.parse(
      await runEntry('electron/bench.ts', ['export', '--data', data, '--exports', exports, '--job', String(job)]),
    ),
  );
  const tested = await run('7z', ['t', '-pinfected', join(exports, ours.fileName)]);
  const [, files = '1'] = /^Files: (\d+)$/m.exec(tested) ?? [];
  const [, size = '0'] = /^Size: +(\d+)$/m.exec(tested) ?? [];
  if (!tested.includes('Everything is Ok') || Number(files) < samples || Number(size) < totalBytes)
    throw new Error(`the export is not whole:\n${tested}`);
  return ours;
}
