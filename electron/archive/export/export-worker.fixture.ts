import { parentPort } from 'node:worker_threads';
import { serveExports } from './export-loop.ts';

/** Copies bytes that a test passes, in pieces; what follows `brokenAfter` of them cannot be read. */
export interface GivenSource {
  bytes: Uint8Array;
  brokenAfter: number | null;
}

const pieceBytes = 64 * 1024;
class Broken extends Error {}

async function* pieces({ bytes, brokenAfter }: GivenSource): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (brokenAfter !== null && at + pieceBytes > brokenAfter) throw new Broken('given');
    yield new Uint8Array(bytes.subarray(at, at + pieceBytes));
  }
}

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
serveExports<GivenSource>(port, { open: pieces, reasonOf: (error) => (error instanceof Broken ? 'broken' : null) });
