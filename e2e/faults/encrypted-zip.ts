import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ZipItem } from './zip-items.ts';

export interface ZipPassword {
  encryption: 'aes-256' | 'zipcrypto';
  password: string;
}

/** A password ZIP as 7z makes it. The bytes reach 7z through a pipe; on the disk they are encrypted only. */
export async function zipBy7z(items: readonly ZipItem[], options: ZipPassword): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-7z-'));
  try {
    const path = join(folder, 'out.zip');
    for (const item of items) await add(path, item, options);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function add(path: string, { name, bytes }: ZipItem, { encryption, password }: ZipPassword): Promise<void> {
  const method = encryption === 'aes-256' ? 'AES256' : 'ZipCrypto';
  const sevenZip = spawn('7z', ['a', '-tzip', `-mem=${method}`, `-p${password}`, `-si${name}`, path], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(sevenZip, 'exit');
  // When 7z does not read to the end, its exit code shows why.
  await Promise.allSettled([pipeline([bytes], sevenZip.stdin)]);
  await exited;
  if (sevenZip.exitCode !== 0) throw new Error(`7z ended with ${sevenZip.exitCode}`);
}
