import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry, startServer } from '../child.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';
import { writeSampleSet } from '../sample-set.ts';
import { settled } from './bulk.ts';

/** A report with a thousand hashes: from the hashes to a table with the record of each. */
export const triage1k: Row = {
  name: 'triage-1k',
  reference: 'a curl of getfile for each hash, 8 at a time',
  limit: 'The lab, which answers the requests of both; besides, a library row and its words for each record.',
  aim: 1,
  must: 1.5,
  residentMustMiB: null,
  measure: compare,
};

const receipt = z.object({ seconds: z.number(), complete: z.number() });

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  const samples = quick ? 300 : 1000;
  const set = await writeSampleSet(folder, { samples, bytesEach: 512 }, true);
  const data = join(folder, 'lab');
  const files = (await readdir(set.plainFolder ?? '')).map((name) => join(set.plainFolder ?? '', name));
  await runEntry('electron/lab.ts', ['add', ...files, '--data', data]);
  const token = (
    await runEntry('electron/lab.ts', ['token', 'add', '--rights', 'read,download', '--data', data])
  ).trim();
  const lab = await startServer(
    'electron/lab.ts',
    ['--port', '0', '--data', data],
    /(http:\/\/127\.0\.0\.1:\d+\/\S+)\/api\.php/,
  );
  const baseUrl = lab.match[1] ?? '';
  const ratios: number[] = [];
  for (let count = 0; count < (quick ? 3 : 5); count += 1) {
    await settled();
    const ours = receipt.parse(
      JSON.parse(
        await runEntry('electron/bench.ts', [
          'triage',
          '--base-url',
          baseUrl,
          '--token',
          token,
          '--list',
          set.listPath,
          '--data',
          join(folder, `data-${count}`),
        ]),
      ),
    );
    if (ours.complete !== samples) throw new Error(`the table has ${ours.complete} of ${samples} records`);
    ratios.push(ours.seconds / (await referenceSeconds(join(folder, `reference-${count}`), { baseUrl, token, set })));
  }
  return { ratio: median(ratios), residentMiB: null };
}

interface Asked {
  baseUrl: string;
  token: string;
  set: { listPath: string; samples: number };
}

const script =
  'xargs -P 8 -I {} curl -sSfo "$0/{}" "$1/api.php?action=getfile&token=$2&hash={}" < "$3"; ls "$0" | wc -l';

/** The same records, each by a curl of its own. */
async function referenceSeconds(folder: string, { baseUrl, token, set }: Asked): Promise<number> {
  await mkdir(folder);
  await settled();
  const begun = performance.now();
  const got = await run('sh', ['-euc', script, folder, baseUrl, token, set.listPath]);
  const seconds = (performance.now() - begun) / 1000;
  if (Number(got) !== set.samples) throw new Error(`the reference has ${got.trim()} of ${set.samples} records`);
  return seconds;
}
