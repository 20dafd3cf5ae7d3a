import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry, startServer } from '../child.ts';
import { type KnownFile, writeKnownFile } from '../known-file.ts';
import { peakResidentMiB } from '../peak-resident.ts';
import { median, type Row } from '../row.ts';
import { settled } from './bulk.ts';
import { writeFiles } from './stage.ts';

const mib = 1024 * 1024;
const receipt = z.object({ seconds: z.number(), residentMiB: z.number(), stored: z.number() });

/** One large file to a lab that has it not: asked for, sent, confirmed. Neither side's memory may follow its size. */
export const upload2g: Row = {
  name: 'upload-2g',
  reference: 'curl -F files[]=@f, to the same kind of lab',
  limit:
    'The lab, which hashes, encrypts and writes what it receives, as it does for the reference. Our side only ' +
    'reads and sends.',
  aim: 0.9,
  must: 1.2,
  residentMustMiB: 200,
  async measure({ folder, quick }) {
    const file = await writeKnownFile(join(folder, 'f'), (quick ? 128 : 2048) * mib);
    const ratios: number[] = [];
    const resident: number[] = [];
    for (let round = 0; round < (quick ? 3 : 5); round += 1) {
      const reference = await withLab(folder, (lab) => curl(lab, file));
      const ours = await withLab(folder, (lab) => upload(folder, lab, ['--file', file.path]));
      ratios.push(ours.seconds / reference.seconds);
      resident.push(ours.residentMiB, ours.labMiB);
    }
    return { ratio: median(ratios), residentMiB: Math.max(...resident) };
  },
};

/** More than twice the size, the same memory; over the 4 GiB at which some ways of reading a file cut it off. */
export const upload5g: Row = {
  name: 'upload-5g',
  reference: 'memory only',
  limit: 'Two alternating buffers, whatever the size.',
  aim: null,
  must: null,
  residentMustMiB: 200,
  onlyFull: true,
  async measure({ folder, quick }) {
    const file = await writeKnownFile(join(folder, 'f'), (quick ? 256 : 5120) * mib);
    const { residentMiB, labMiB } = await withLab(folder, (lab) => upload(folder, lab, ['--file', file.path]));
    return { ratio: null, residentMiB: Math.max(residentMiB, labMiB) };
  },
};

const filesARequest = 20;

/** Many small files: what a request costs beside its bytes, on both sides. */
export const upload5k: Row = {
  name: 'upload-5k',
  reference: 'curl -F files[]=@f of 5,000 files of 1 KiB, 20 a request, to the same kind of lab',
  limit:
    'The lab, which responds twice: with what it stored, and to the look-up of each file. Our side writes a ' +
    'journal entry before and after each file; the reference starts a process per request.',
  aim: null,
  must: 2.5,
  residentMustMiB: null,
  async measure({ folder, quick }) {
    const count = quick ? 500 : 5000;
    const files = await writeFiles(join(folder, 'files'), count, 1024);
    const paths = Array.from({ length: count }, (_, number) => join(files, `sample-${number}`));
    const ratios: number[] = [];
    for (let round = 0; round < (quick ? 3 : 5); round += 1) {
      const reference = await withLab(folder, async (lab) => {
        const begun = performance.now();
        for (let at = 0; at < count; at += filesARequest) await post(lab, ...paths.slice(at, at + filesARequest));
        return (performance.now() - begun) / 1000;
      });
      const ours = await withLab(folder, (lab) => upload(folder, lab, ['--files', files]));
      if (ours.stored !== count) throw new Error(`${ours.stored} of ${count} files were stored`);
      ratios.push(ours.seconds / reference);
    }
    return { ratio: median(ratios), residentMiB: null };
  },
};

interface BenchLab {
  baseUrl: string;
  token: string;
  pid: number;
}

/**
 * A lab of its own for each count: what it has already it does not take again. It took a file before: its threads run.
 */
async function withLab<T>(folder: string, use: (lab: BenchLab) => Promise<T>): Promise<T> {
  const data = join(folder, 'lab');
  const token = (await runEntry('electron/lab.ts', ['token', 'add', '--rights', 'read,upload', '--data', data])).trim();
  const { pid, match, end } = await startServer(
    'electron/lab.ts',
    ['--port', '0', '--data', data],
    /(http:\/\/127\.0\.0\.1:\d+\/repository)\/api\.php/,
  );
  const lab = { baseUrl: match[1] ?? '', token, pid };
  try {
    await post(lab, await firstFile(folder));
    return await use(lab);
  } finally {
    await end();
    await rm(data, { recursive: true });
    await settled();
  }
}

async function firstFile(folder: string): Promise<string> {
  const path = join(folder, 'first');
  await writeFile(path, 'first');
  return path;
}

async function curl(lab: BenchLab, { path, md5 }: KnownFile): Promise<{ seconds: number }> {
  const begun = performance.now();
  const reply = await post(lab, path);
  const seconds = (performance.now() - begun) / 1000;
  if (!reply.includes(md5)) throw new Error('the lab did not take the reference');
  return { seconds };
}

const post = ({ baseUrl, token }: BenchLab, ...paths: string[]): Promise<string> =>
  run('curl', [
    '-sf',
    ...paths.flatMap((path) => ['-F', `files[]=@${path}`]),
    `${baseUrl}/api.php?action=uploadfiles&token=${token}`,
  ]);

async function upload(
  folder: string,
  { baseUrl, token, pid }: BenchLab,
  what: readonly string[],
): Promise<z.infer<typeof receipt> & { labMiB: number }> {
  const data = join(folder, 'data');
  const sent = receipt.parse(
    JSON.parse(
      await runEntry('electron/bench.ts', ['upload', '--data', data, '--base-url', baseUrl, '--token', token, ...what]),
    ),
  );
  const labMiB = await peakResidentMiB(pid);
  await rm(data, { recursive: true });
  return { ...sent, labMiB: labMiB ?? 0 };
}
