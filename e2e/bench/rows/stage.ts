import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry } from '../child.ts';
import { median, type Row } from '../row.ts';

const receipt = z.object({ seconds: z.number(), residentMiB: z.number(), hashed: z.number() });
const fileBytes = 4096;

/** Many small files into a draft: put into the database, hashed three ways, compared with each other. */
export const stage10k: Row = {
  name: 'stage-10k',
  reference: 'md5sum *; sha1sum *; sha256sum *',
  aim: 0.5,
  must: 0.8,
  residentMustMiB: null,
  async measure({ folder, quick }) {
    const count = quick ? 1000 : 10_000;
    const files = join(folder, 'files');
    await mkdir(files);
    for (let number = 0; number < count; number += 1) await writeFile(join(files, `sample-${number}`), randomBytes(fileBytes));
    const ratios: number[] = [];
    const resident: number[] = [];
    for (let round = 0; round < (quick ? 3 : 7); round += 1) {
      const reference = await referenceSeconds(files);
      const ours = receipt.parse(JSON.parse(await runEntry('electron/bench.ts', ['stage', '--data', join(folder, `data-${round}`), '--files', files])));
      if (ours.hashed !== count) throw new Error(`${ours.hashed} of ${count} files were hashed`);
      ratios.push(ours.seconds / reference);
      resident.push(ours.residentMiB);
    }
    return { ratio: median(ratios), residentMiB: Math.max(...resident) };
  },
};

async function referenceSeconds(files: string): Promise<number> {
  const begun = performance.now();
  await run('sh', ['-euc', 'cd "$0"; for sum in md5sum sha1sum sha256sum; do ls | xargs "$sum" > /dev/null; done', files]);
  return (performance.now() - begun) / 1000;
}
