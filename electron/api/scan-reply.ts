import { Buffer } from 'node:buffer';
import type { Json } from '../../shared/domain/sample.ts';
import { fail } from '../../shared/failure.ts';
import type { CallFacts } from './call.ts';
import { boundJson } from './replies/bound-json.ts';
import type { Rewrite } from './replies/bounded-text.ts';
import { readJsonReply } from './replies/read-json-reply.ts';
import { readScanReply, type ScanReading } from './replies/read-scan-reply.ts';

/** A reply to `scanfile`. */
export interface ScanReply {
  status: number;
  /** As the service gave it, bounded (`jsonBounds`) and without the token: to be shown, not to be read. */
  reply: Json;
  /** What all of it says. */
  reading: ScanReading;
}

/** The most values a reply may have, by the characters that part them: each takes some hundred bytes while it is read. A hundred thousand matches have a third of it. */
const mostParts = 3_000_000;
const partingCharacters: ReadonlySet<number> = new Set(Buffer.from('[{,:'));

/** Throws what `readJsonReply` throws; `unreadable-reply` also for more values than anybody has use for. */
export function readScanBytes(received: { status: number; body: Uint8Array }, facts: CallFacts): ScanReply {
  const { service, address, redaction } = facts;
  const { status, body } = received;
  if (hasTooManyParts(body)) fail({ kind: 'unreadable-reply', service, address, status, text: redaction.excerpt(body) });
  const json = readJsonReply(received, facts);
  const rewrite = remembering(redaction.data);
  const read = readScanReply(json, rewrite);
  const reading = read.kind === 'failed' ? { ...read, text: redaction.excerpt(Buffer.from(read.text)) } : read;
  return { status, reply: boundJson(json, rewrite), reading };
}

function hasTooManyParts(body: Uint8Array): boolean {
  let parts = 0;
  for (const byte of body) parts += partingCharacters.has(byte) ? 1 : 0;
  return parts > mostParts;
}

const longestRemembered = 100;
const mostRemembered = 10_000;

/** A reply says the same few names a thousand times: secrets are looked for in each once. */
function remembering(rewrite: Rewrite): Rewrite {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > longestRemembered || known.size >= mostRemembered) return known.get(text) ?? rewrite(text);
    const rewritten = known.get(text) ?? rewrite(text);
    known.set(text, rewritten);
    return rewritten;
  };
}
