import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths of the files below a folder that hold any of the texts. Reads every byte of every file. */
export async function filesHolding(folder: string, ...texts: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const held: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readUnlessGone(path);
    if (texts.some((text) => bytes.includes(text))) held.push(path);
  }
  return held;
}

/** A file that goes away while it is looked for, such as a database's log when its program ends, holds nothing. */
async function readUnlessGone(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Command lines of every process of this machine that hold the text. */
export async function processesNaming(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(text));
}
