import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { builtEntry } from '../../program.ts';
import { run } from '../child.ts';
import { writeHashText } from '../hash-text.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';

const mebibyte = 1024 * 1024;
const sizeMiB = (quick: boolean): number => (quick ? 20 : 100);

/** `vitrine hashes` of the built command line, from the start of the process to its end, its output in a file. */
export const hashes100m: Row = {
  name: 'hashes-100m',
  reference: 'LC_ALL=C grep -oE [0-9A-Fa-f]{32,64} of the same mixed text of 100 MiB',
  limit:
    'Finding words, a byte at a time, takes half of it; the rest is a string and a table entry for each of the ' +
    'hashes, none of which occurs twice, and starting Node. grep stores no hashes, and matches parts of longer ' +
    'strings.',
  aim: 2,
  must: 4,
  residentMustMiB: null,
  measure: compare,
};

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  await run(process.execPath, [
    'node_modules/vite/bin/vite.js',
    'build',
    '-c',
    'build/vite.host.ts',
    '--logLevel',
    'error',
  ]);
  const entry = builtEntry('electron/cli.ts') ?? 'electron/cli.ts';
  const [text, listed] = [join(folder, 'text'), join(folder, 'listed')];
  await writeHashText(text, sizeMiB(quick) * mebibyte);
  const ratios: number[] = [];
  // The first count has the files in memory for the others.
  for (let count = 0; count < (quick ? 4 : 8); count += 1) {
    const reference = await secondsInto(listed, 'grep', ['-oE', '[0-9A-Fa-f]{32,64}', text]);
    const expected = await linesOf(listed);
    const ours = await secondsInto(listed, process.execPath, [entry, 'hashes', text, '--quiet']);
    const found = await linesOf(listed);
    if (found !== expected) throw new Error(`${found} hashes were listed, and grep finds ${expected}`);
    if (count > 0) ratios.push(ours / reference);
  }
  return { ratio: median(ratios), residentMiB: null };
}

/** grep stops at its first match when it writes to nowhere: both write to a file. */
async function secondsInto(path: string, command: string, args: readonly string[]): Promise<number> {
  const file = await open(path, 'w');
  try {
    const begun = performance.now();
    const child = spawn(command, args, { stdio: ['ignore', file.fd, 'inherit'], env: { ...process.env, LC_ALL: 'C' } });
    const ended: unknown[] = await once(child, 'close');
    if (ended[0] !== 0) throw new Error(`${command} ended with ${String(ended[0])}`);
    return (performance.now() - begun) / 1000;
  } finally {
    await file.close();
  }
}

async function linesOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    let lines = 0;
    for await (const piece of file.createReadStream({ autoClose: false })) {
      if (!Buffer.isBuffer(piece)) throw new TypeError('bytes are read');
      for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, at + 1)) lines += 1;
    }
    return lines;
  } finally {
    await file.close();
  }
}
