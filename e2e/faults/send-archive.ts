import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ArchiveFault } from './bulk-fault.ts';
import type { EntryGate } from './entry-gate.ts';
import type { ZipItem } from './zip-items.ts';
import type { ZipParts } from './zip-parts.ts';

export interface ArchiveReply {
  parts: ZipParts;
  /** What follows the archive: `{}` from some servers, else nothing. */
  stray: Buffer;
  fault: ArchiveFault | null;
  /** Whether the service said a length. */
  namesLength: boolean;
  headers: Record<string, string | string[]>;
}

/** Sends an archive entry by entry through the gate, and names each that went out whole. */
export async function sendArchive(
  response: ServerResponse,
  reply: ArchiveReply,
  gate: EntryGate,
  sent: (name: string) => void,
): Promise<void> {
  const { entries, rest, isCutShort } = piecesOf(reply);
  response.writeHead(200, { ...reply.headers, ...lengthOf(reply, entries, rest) });
  response.flushHeaders();
  for (const [index, { name, bytes }] of entries.entries()) {
    const passage = await gate.pass();
    if (response.destroyed) return;
    if (passage === 'cut') return void (await write(response, firstHalf(bytes)), response.destroy());
    await write(response, bytes, reply.fault);
    if (!isCutShort || index < entries.length - 1) sent(name);
  }
  await write(response, rest, reply.fault);
  response.end();
}

function piecesOf({ parts, stray, fault }: ArchiveReply): { entries: ZipItem[]; rest: Buffer; isCutShort: boolean } {
  if (fault?.kind !== 'truncated')
    return { entries: parts.entries, rest: Buffer.concat([parts.end, stray]), isCutShort: false };
  const last = parts.entries[fault.afterEntries];
  const whole = parts.entries.slice(0, fault.afterEntries);
  return {
    entries: last === undefined ? whole : [...whole, { ...last, bytes: firstHalf(last.bytes) }],
    rest: Buffer.alloc(0),
    isCutShort: true,
  };
}

function lengthOf({ namesLength }: ArchiveReply, entries: readonly ZipItem[], rest: Buffer): Record<string, string> {
  return namesLength
    ? { 'Content-Length': String(entries.reduce((sum, { bytes }) => sum + bytes.length, rest.length)) }
    : {};
}

/** Resolves when the bytes have left, or the client is gone. */
async function write(response: ServerResponse, bytes: Uint8Array, fault: ArchiveFault | null = null): Promise<void> {
  if (fault?.kind !== 'slow-drip') return left(response, bytes);
  for (let at = 0; at < bytes.length && !response.destroyed; at += fault.bytes) {
    await left(response, bytes.subarray(at, at + fault.bytes));
    await pause(fault.everyMs);
  }
}

async function left(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  const gone = new AbortController();
  const closed = once(response, 'close', { signal: gone.signal }).catch(() => []);
  const flushed = new Promise<void>((resolve) => response.write(bytes, () => resolve()));
  await Promise.race([flushed, closed]);
  gone.abort();
}

const firstHalf = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, Math.ceil(bytes.length / 2));
