import { closeSync, existsSync, openSync, rmSync, writeSync, writevSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import type { Failure } from '../../../shared/failure.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { lowerPriority } from '../../base/workers.ts';
import { type ContainerFacts, encodeTrailer, encryptBody, newHeader } from '../container/container.ts';
import { folderWriteFailure } from '../disk-failures.ts';
import { packedSampleBytes } from '../packs/pack-frame.ts';
import type { PackSpot } from '../packs/pack-index.ts';
import { PackWriter } from '../packs/pack-writer.ts';
import { samplePath } from '../vault-folder.ts';
import type { FromStorer, StoringAnswer, StoringOrder, StoringSetup, ToStorer } from './storing-pool.ts';
import { type VerifiedSample, verifyWhole } from './whole-sample.ts';

/** To be written together with the others of its group. */
interface Packable extends VerifiedSample {
  number: number;
}

/** Inflates, verifies, encrypts and writes whole samples, one group after the other. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();
let directory = '';
/** Null where every sample is a file of its own. */
let writer: PackWriter | null = null;

const answer = (message: FromStorer): void => port.postMessage(message);
const hasFile = ({ sha256 }: ContainerFacts): boolean => existsSync(samplePath(directory, sha256));

/**
 * What the disk refuses is the sample's own failure; anything else is a defect and ends the worker, which its owner
 * sees.
 */
function failureOf(error: unknown): Failure {
  const code = systemErrorCode(error);
  if (code === null) throw error;
  return folderWriteFailure(code, directory);
}

/** @returns the answer, or what is to be packed */
function begin({ number, sample, expected, path }: StoringOrder): StoringAnswer | Packable {
  const verified = verifyWhole(sample, expected);
  if ('failure' in verified) return { number, failure: verified.failure };
  if (writer !== null && verified.bytes.length <= packedSampleBytes) return { number, ...verified };
  try {
    writeContainer(path, verified.bytes, verified.facts);
    return { number, stored: { facts: verified.facts, hasFile: hasFile(verified.facts), spot: null } };
  } catch (error) {
    return { number, failure: failureOf(error) };
  } finally {
    giveBack(sample.bytes, verified.bytes);
  }
}

/** The memory of a large sample, at once: the next one is coming. */
function giveBack(compressed: Uint8Array, inflated: Uint8Array): void {
  const isOwn = inflated.buffer !== compressed.buffer && inflated.length > packedSampleBytes;
  releaseBytes(compressed);
  if (isOwn && inflated.buffer instanceof ArrayBuffer) inflated.buffer.transfer(0);
}

function pack(all: readonly Packable[]): StoringAnswer[] {
  if (writer === null || all.length === 0) return [];
  try {
    const spots: (PackSpot | undefined)[] = writer.append(all);
    return all.map(({ number, facts }, index) => ({
      number,
      stored: { facts, hasFile: hasFile(facts), spot: spots[index] ?? null },
    }));
  } catch (error) {
    const failure = failureOf(error);
    return all.map(({ number }) => ({ number, failure }));
  }
}

function start({ directory: folder, packs, unfilled }: StoringSetup): void {
  directory = folder;
  writer = packs === null ? null : new PackWriter(packs, unfilled);
}

function store(orders: readonly StoringOrder[]): void {
  const begun = orders.map(begin);
  const packable = begun.flatMap((each) => ('bytes' in each ? [each] : []));
  const answered = begun.flatMap((each) => ('bytes' in each ? [] : [each]));
  answer({ kind: 'stored', answers: [...answered, ...pack(packable)] });
}

port.on('message', (message: ToStorer) => {
  if (message.kind === 'start') start(message.setup);
  if (message.kind === 'store') store(message.orders);
  if (message.kind === 'leave') writer?.leave(message.pack);
  if (message.kind === 'scrap') {
    writer?.scrap(message.spots);
    answer({ kind: 'scrapped', number: message.number });
  }
});

/** What stays in a processor's cache between encryption and the disk. */
const sliceBytes = 256 * 1024;

/**
 * Writes the container of a sample that is held whole as a new file, with calls that block. Leaves none when it throws.
 */
function writeContainer(path: string, bytes: Uint8Array, facts: ContainerFacts): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeTo(file, bytes, facts);
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
  closeSync(file);
}

function writeTo(file: number, bytes: Uint8Array, facts: ContainerFacts): void {
  const header = newHeader();
  const cipher = encryptBody(header);
  let before: Uint8Array[] = [header];
  let encrypted = cipher.update(bytes.subarray(0, sliceBytes));
  for (let at = sliceBytes; at < bytes.length; at += sliceBytes) {
    append(file, [...before, encrypted]);
    releaseBytes(encrypted);
    before = [];
    encrypted = cipher.update(bytes.subarray(at, at + sliceBytes));
  }
  append(file, [...before, encrypted, encodeTrailer(header, cipher, facts)]);
  releaseBytes(encrypted);
}

/** In one call of the system, as a rule. */
function append(file: number, parts: readonly Uint8Array[]): void {
  const written = writevSync(file, parts);
  let before = 0;
  for (const part of parts) {
    for (let done = Math.max(0, written - before); done < part.length;) done += writeSync(file, part, done);
    before += part.length;
  }
}
