import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, inflateRawSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Failure, FailureError } from '../../shared/failure.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { collected } from './raw-zip.fixture.ts';
import type { RandomPart } from './reading/zip-source.ts';
import type { StreamedPart } from './reading/zip-stream.ts';

const run = promisify(execFile);

/** The archive `out.zip` that commands of a shell make of the files, in a folder of their own. */
export async function madeBy(script: string, files: Record<string, Uint8Array> = {}): Promise<Buffer> {
  const folder = temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  await run('sh', ['-ec', script], { cwd: folder });
  return readFile(join(folder, 'out.zip'));
}

export const madeByPython = (script: string, files?: Record<string, Uint8Array>): Promise<Buffer> =>
  madeBy(`python3 -W ignore -c "$(cat <<'END'\nimport zipfile, sys, io\n${script}\nEND\n)"`, files);

export type ReadPart =
  | { name: string; content: string }
  | { name: string; failure: Failure }
  | { name: string; unstreamable: string; offset: number; rest: Buffer };

/** What the parts hold, however they came; a failure of an entry in its place. */
export async function readParts(parts: AsyncIterable<StreamedPart | RandomPart>): Promise<ReadPart[]> {
  const read: ReadPart[] = [];
  for await (const part of parts) read.push(await readPart(part));
  return read;
}

async function readPart(part: StreamedPart | RandomPart): Promise<ReadPart> {
  const { name } = part;
  if (part.kind === 'refused') return { name, failure: part.failure };
  if (part.kind === 'unstreamable')
    return { name, unstreamable: part.reason, offset: part.offset, rest: await collected(part.rest) };
  if (part.kind === 'whole') return { name, content: text(inflatedWhole(part)) };
  try {
    return { name, content: text(await collected(part.chunks)) };
  } catch (error) {
    if (error instanceof FailureError) return { name, failure: error.failure };
    throw error;
  }
}

/** As a thread that takes whole entries does it. */
function inflatedWhole({ encoding, bytes, sizeBytes, crc32: said }: Extract<StreamedPart, { kind: 'whole' }>): Buffer {
  const plain =
    encoding === 'identity' ? Buffer.from(bytes) : inflateRawSync(bytes, { maxOutputLength: Math.max(sizeBytes, 1) });
  expect({ sizeBytes: plain.length, crc32: crc32(plain) }).toEqual({ sizeBytes, crc32: said });
  return plain;
}

const text = (bytes: Buffer): string => bytes.toString('latin1');

export async function failureOf(reading: Promise<unknown>): Promise<Failure> {
  const error: unknown = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FailureError);
  return (error as FailureError).failure;
}
