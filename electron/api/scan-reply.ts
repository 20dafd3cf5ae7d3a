import { Buffer } from 'node:buffer';
import type { Json } from '../../shared/domain/sample.ts';
import { fail } from '../../shared/failure.ts';
import type { CallFacts } from './call.ts';
import { boundJson } from './replies/bound-json.ts';
import type { Rewrite } from './replies/bounded-text.ts';
import { jsonParts, membersIn } from './replies/json-parts.ts';
import { readJsonReply } from './replies/read-json-reply.ts';
import { readScanReply, type ScanReading } from './replies/read-scan-reply.ts';
import { textOf } from './replies/reply-text.ts';

/** A reply to `scanfile`. */
export interface ScanReply {
  status: number;
  /**
   * As the service gave it, bounded (`jsonBounds`) and without the token: to be shown, not to be read. A text where a
   * member comes twice.
   */
  reply: Json;
  /** What all of it says. */
  reading: ScanReading;
}

/**
 * The most values a reply may have, by the characters that part them: each takes some hundred bytes while it is read. A
 * hundred thousand matches have a third of it.
 */
const mostParts = 3_000_000;

/** Throws what `readJsonReply` throws; `unreadable-reply` also for more values than anybody has use for. */
export function readScanBytes(received: { status: number; body: Uint8Array }, facts: CallFacts): ScanReply {
  const { service, address, redaction } = facts;
  const { status, body } = received;
  const counted = jsonParts(body);
  if (counted.parts > mostParts)
    fail({ kind: 'unreadable-reply', service, address, status, text: redaction.excerpt(body) });
  const json = readJsonReply(received, facts);
  const rewrite = remembering(redaction.data);
  const lacksSome = membersIn(json) < counted.names;
  const read = withDoubt(readScanReply(json, rewrite), lacksSome);
  const reading = read.kind === 'failed' ? { ...read, text: redaction.excerpt(Buffer.from(read.text)) } : read;
  return { status, reply: boundJson(lacksSome ? textOf(body) : json, rewrite), reading };
}

/** Of members of one name the last is read: what the others said may be that there were matches. */
function withDoubt(read: ScanReading, lacksSome: boolean): ScanReading {
  if (!lacksSome || read.kind !== 'matches') return read;
  return read.hits.length === 0 ? { kind: 'not-understood' } : { ...read, isCut: true };
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
