import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { run, runEntry, startServer } from '../child.ts';
import { writeKnownFile, type KnownFile } from '../known-file.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';

/** A file from a plain static server into the vault: received, hashed three ways, encrypted, verified, on the disk. */
export const download2g: Row = {
  name: 'download-2g',
  reference: 'curl -so f; md5sum f; sha1sum f; sha256sum f',
  limit:
    'MD5, which a single thread computes; SHA-1, SHA-256, encryption and writing run in another thread, the ' +
    'network in a third. With two processors the three together are the limit: that alone comes to 0.50.',
  aim: 0.5,
  must: 0.8,
  residentMustMiB: 400,
  async measure(settings) {
    const { file, port } = await served(settings.folder, settings.quick ? 128 : 2048);
    const counts = settings.quick ? 3 : 5;
    const ratios: number[] = [];
    const resident: number[] = [];
    for (let count = 0; count < counts; count += 1) {
      const reference = await referenceSeconds(settings.folder, port);
      const ours = await oursInto(settings.folder, port, file);
      ratios.push(ours.seconds / reference);
      resident.push(ours.residentMiB);
    }
    return { ratio: median(ratios), residentMiB: Math.max(...resident) };
  },
};

/** More than twice the size, the same memory. */
export const download5g: Row = {
  name: 'download-5g',
  reference: 'memory only',
  limit: 'The amount of data in flight, which is bounded in bytes.',
  aim: null,
  must: null,
  residentMustMiB: 400,
  onlyFull: true,
  measure: memoryOf5g,
};

async function memoryOf5g({ folder, quick }: RowSettings): Promise<Measured> {
  const { file, port } = await served(folder, quick ? 256 : 5120);
  const { residentMiB } = await oursInto(folder, port, file);
  return { ratio: null, residentMiB };
}

async function served(folder: string, sizeMiB: number): Promise<{ file: KnownFile; port: number }> {
  const file = await writeKnownFile(join(folder, 'served'), sizeMiB * 1024 * 1024);
  const { match } = await startServer('e2e/bench/static-server.ts', [file.path], /^listening on (\d+)$/);
  return { file, port: Number(match[1]) };
}

async function referenceSeconds(folder: string, port: number): Promise<number> {
  const path = join(folder, 'reference');
  const begun = performance.now();
  await run('sh', [
    '-euc',
    'curl -sfo "$0" "$1"; md5sum "$0"; sha1sum "$0"; sha256sum "$0"',
    path,
    `http://127.0.0.1:${port}/file`,
  ]);
  const seconds = (performance.now() - begun) / 1000;
  await rm(path);
  return seconds;
}

const receipt = z.object({ sha256: z.string(), sizeBytes: z.number(), seconds: z.number(), residentMiB: z.number() });

/** A download that is not exact has no time worth telling. */
async function oursInto(folder: string, port: number, file: KnownFile): Promise<z.infer<typeof receipt>> {
  const vault = join(folder, 'vault');
  await mkdir(vault);
  const printed = await runEntry('electron/bench.ts', [
    'download',
    '--base-url',
    `http://127.0.0.1:${port}`,
    '--md5',
    file.md5,
    '--vault',
    vault,
  ]);
  await rm(vault, { recursive: true });
  const ours = receipt.parse(JSON.parse(printed));
  if (ours.sha256 !== file.sha256 || ours.sizeBytes !== file.sizeBytes)
    throw new Error('the vault holds other bytes than were served');
  return ours;
}
