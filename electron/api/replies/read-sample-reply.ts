import { Buffer } from 'node:buffer';
import type { Json, SampleRecord } from '../../../shared/domain/sample.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import { boundJson, commentBounds } from './bound-json.ts';
import type { Rewrite } from './bounded-text.ts';
import { isObject } from './named-members.ts';
import { readJsonReply } from './read-json-reply.ts';
import { readSample } from './read-sample.ts';
import { readServiceError } from './read-service-error.ts';

/** Throws what `readJsonReply` and `readSampleReply` throw. */
export function readSampleBytes(
  reply: { status: number; body: Uint8Array },
  md5: string,
  facts: CallFacts,
): SampleRecord {
  return readSampleReply(readJsonReply(reply, facts), reply, md5, facts);
}

/**
 * The record in a reply to `getfile` (docs/services.md, "getfile"). Throws `unknown-hash`; `request-refused` for an
 * error under a good status; `wrong-record` when the record is another sample's; `unreadable-reply` for JSON that is no
 * record.
 */
export function readSampleReply(
  json: Json,
  reply: { status: number; body: Uint8Array },
  md5: string,
  facts: CallFacts,
): SampleRecord {
  const { service, address, redaction } = facts;
  const error = readServiceError(json);
  if (error) {
    const words = Buffer.from(error.message ?? error.code ?? '');
    return fail({ kind: 'request-refused', service, address, status: reply.status, text: redaction.excerpt(words) });
  }
  const sample = readSample(bounded(json, redaction.data));
  if (sample === 'unknown') return fail({ kind: 'unknown-hash', service, hash: md5 });
  if (sample === 'unreadable')
    return fail({
      kind: 'unreadable-reply',
      service,
      address,
      status: reply.status,
      text: redaction.excerpt(reply.body),
    });
  if (sample.md5 !== null && sample.md5 !== md5)
    return fail({ kind: 'wrong-record', service, address, md5, recordMd5: sample.md5 });
  return sample;
}

/** What very many comments take of the bounds is not taken from the rest of the record, wherever it stands. */
function bounded(json: Json, rewrite: Rewrite): Json {
  if (!isObject(json) || json.file === undefined || !isObject(json.file)) return boundedRecord(json, rewrite);
  return { ...membersOf(boundJson({ ...json, file: null }, rewrite)), file: boundedRecord(json.file, rewrite) };
}

function boundedRecord(json: Json, rewrite: Rewrite): Json {
  if (!isObject(json) || !Array.isArray(json.comments)) return boundJson(json, rewrite);
  return {
    ...membersOf(boundJson({ ...json, comments: null }, rewrite)),
    comments: boundJson(json.comments, rewrite, commentBounds),
  };
}

const membersOf = (json: Json): { [key: string]: Json } => (isObject(json) ? json : {});
