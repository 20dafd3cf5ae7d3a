import { Buffer } from 'node:buffer';
import type { Json } from '../../../shared/domain/sample.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import { parseJson, readJsonReply } from './read-json-reply.ts';
import { readServiceError } from './read-service-error.ts';
import { isWebPage, textOf } from './reply-text.ts';
import { readText } from './values.ts';

const longestId = 256;

/**
 * The id of a new comment in the reply to `addcomment`; null when it names none. Status 201 alone says that the comment
 * is there, so that only a web page or an error is not believed; under another status the reply must be JSON. Throws
 * `request-refused` for an error in JSON, or a failure of `readJsonReply`.
 */
export function readCommentReply(reply: { status: number; body: Uint8Array }, facts: CallFacts): { id: string | null } {
  const json = reply.status === 201 ? createdJson(reply, facts) : readJsonReply(reply, facts);
  const said = readServiceError(json);
  if (said === null) return { id: idIn(json, facts) };
  const { service, address, redaction } = facts;
  return fail({
    kind: 'request-refused',
    service,
    address,
    status: reply.status,
    text: redaction.excerpt(Buffer.from(said.message ?? said.code ?? '')),
  });
}

function createdJson(reply: { status: number; body: Uint8Array }, { service, address, redaction }: CallFacts): Json {
  const text = textOf(reply.body);
  if (isWebPage(text))
    fail({ kind: 'html-reply', service, address, status: reply.status, text: redaction.excerpt(reply.body) });
  return parseJson(text) ?? null;
}

function idIn(json: Json, { redaction }: CallFacts): string | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || !Object.hasOwn(json, 'id')) return null;
  const id = readText(json['id'] ?? null) ?? null;
  return id === null || id.length > longestId ? null : redaction.data(id);
}
