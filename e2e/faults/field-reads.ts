import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { askLab } from './ask-lab.ts';
import { type Answering, sendCompressed, sendJson } from './field-options.ts';
import { fieldRecord, labRecord } from './field-record.ts';
import { notEnoughRights, refusedWhole } from './field-refusals.ts';
import type { PublicRelease } from './field-release.ts';

/** Unknown is no error here: `{"file": null}` with status 200. JSON travels as a web page. */
export async function answerRecord(
  dialect: Answering,
  response: ServerResponse,
  parameters: URLSearchParams,
  release: PublicRelease | null,
): Promise<void> {
  const { target, comments } = dialect;
  const reply = await askLab(target, parameters, 'hash');
  if (refusedWhole(reply, response)) return;
  const file =
    reply.statusCode === 200 ? z.object({ file: labRecord }).parse(JSON.parse(await text(reply))).file : null;
  reply.resume();
  const changed = file === null ? {} : release?.changed(file.md5);
  sendJson(dialect, response, { file: file === null ? null : { ...fieldRecord(file, comments), ...changed } });
}

/** Ranges are ignored, and every refusal is the same. */
export async function answerBytes(
  dialect: Answering,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  const reply = await askLab(dialect.target, parameters, 'file');
  if (refusedWhole(reply, response)) return;
  if (reply.statusCode !== 200) return notEnoughRights(reply, response);
  await sendAsJson(reply, Number(reply.headers['content-length']), dialect, response);
}

/** One hash that cannot be had fails them all, and there is one answer for it, whatever it was. */
export async function answerArchive(
  dialect: Answering,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  const reply = await askLab(dialect.target, parameters, 'files[]');
  if (refusedWhole(reply, response)) return;
  if (reply.statusCode !== 200) return notEnoughRights(reply, response);
  const archive = await wholeArchive(reply, dialect);
  await sendAsJson([archive], archive.length, dialect, response);
}

/**
 * These servers build the archive before its first byte leaves, and run out of memory on a large one; so does this one.
 */
async function wholeArchive(reply: IncomingMessage, { archiveBytesAtMost }: Answering): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of reply) {
    if (!Buffer.isBuffer(piece)) continue;
    bytes += piece.length;
    if (bytes > archiveBytesAtMost) throw new Error(`Allowed memory size of ${archiveBytesAtMost} bytes exhausted`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function sendAsJson(
  bytes: Iterable<Buffer> | IncomingMessage,
  sizeBytes: number,
  { stray, gzip }: Answering,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('Content-Type', 'application/json');
  if (gzip !== 'none') {
    const whole = Buffer.concat([await buffer(Readable.from(bytes)), Buffer.from(stray === 'none' ? '' : '{}')]);
    return sendCompressed(gzip, response, whole);
  }
  response.writeHead(200, {
    'Content-Length': sizeBytes + (stray === 'inside-length' ? 2 : 0),
  });
  await pipeline(bytes, response, { end: false });
  // Node lets a reply be longer than it said, which is the fault that is due here.
  response.end(stray === 'none' ? undefined : '{}');
}
