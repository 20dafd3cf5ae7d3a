import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Answering, StrayBytes } from './field-options.ts';
import { fieldRecord, labRecord } from './field-record.ts';
import { notEnoughRights, refusedWhole } from './field-refusals.ts';

const archiveBytesAtMost = 256 * 1024 * 1024;

/** Unknown is no error here: `{"file": null}` with status 200. JSON travels as a web page. */
export async function answerRecord(
  { target, comments }: Answering,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  const reply = await askLab(target, parameters, 'hash');
  if (refusedWhole(reply, response)) return;
  const file =
    reply.statusCode === 200 ? z.object({ file: labRecord }).parse(JSON.parse(await text(reply))).file : null;
  reply.resume();
  response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' });
  response.end(JSON.stringify({ file: file === null ? null : fieldRecord(file, comments) }));
}

/** Ranges are ignored, and every refusal is the same. */
export async function answerBytes(
  { target, stray }: Answering,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  const reply = await askLab(target, parameters, 'file');
  if (refusedWhole(reply, response)) return;
  if (reply.statusCode !== 200) return notEnoughRights(reply, response);
  await sendAsJson(reply, Number(reply.headers['content-length']), stray, response);
}

/** One hash that cannot be had fails them all, and there is one answer for it, whatever it was. */
export async function answerArchive(
  { target, stray }: Answering,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  const reply = await askLab(target, parameters, 'files[]');
  if (refusedWhole(reply, response)) return;
  if (reply.statusCode !== 200) return notEnoughRights(reply, response);
  const archive = await wholeArchive(reply);
  await sendAsJson([archive], archive.length, stray, response);
}

/**
 * These servers build the archive before its first byte leaves, and run out of memory on a large one; so does this one.
 */
async function wholeArchive(reply: IncomingMessage): Promise<Buffer> {
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
  stray: StrayBytes,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': sizeBytes + (stray === 'inside-length' ? 2 : 0),
  });
  await pipeline(bytes, response, { end: false });
  // Node lets a reply be longer than it said, which is the fault that is due here.
  response.end(stray === 'none' ? undefined : '{}');
}

/**
 * A hash in upper case is another hash to these servers: it is looked up as an unknown one. Of a single one the last
 * counts.
 */
async function askLab(target: string, parameters: URLSearchParams, hashName: string): Promise<IncomingMessage> {
  const given = parameters.getAll(hashName);
  const asked = hashName.endsWith('[]') ? given : [given.at(-1) ?? ''];
  const query = new URLSearchParams([
    ['action', parameters.getAll('action').at(-1) ?? ''],
    ['token', parameters.getAll('token').at(-1) ?? ''],
    ...asked.map((hash) => [hashName, knownAs(hash)]),
  ]);
  return new Promise((resolve, reject) => get(`${target}/api.php?${query.toString()}`, resolve).once('error', reject));
}

const knownAs = (hash: string): string => (/^[0-9a-f]{32}$/.test(hash) ? hash : '0'.repeat(32));
