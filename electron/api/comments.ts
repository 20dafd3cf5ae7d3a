import type { Json } from '../../shared/domain/sample.ts';
import { fail, type Failure } from '../../shared/failure.ts';
import type { CallFacts, WholeReply } from './call.ts';
import {
  isWebPage,
  jsonBehindWarnings,
  parseJson,
  quotedReply,
  readJsonReply,
  readServiceError,
  refusalOf,
  textOf,
} from './replies/json-reply.ts';
import { isObject, readText } from './replies/json-values.ts';
import type { FormField } from './request-body.ts';

/** How a comment is written into the form: as one field of JSON, as documented, or as fields with brackets. */
export type CommentForm = 'json' | 'brackets';

export interface NewComment {
  md5: string;
  content: string;
  /** The comment of the service that is answered; null for a new thread. */
  parentId: string | null;
}

/**
 * Both forms have a parent always: one of the two kinds of server reads no comment without it (docs/services.md,
 * "addcomment").
 */
export function commentFields({ md5, content, parentId }: NewComment, form: CommentForm): FormField[] {
  const comment = { content: content.toWellFormed(), parent: parentId ?? '' };
  const hash: FormField = ['hash', md5.toLowerCase()];
  if (form === 'json') return [hash, ['comment', JSON.stringify(comment)]];
  return [hash, ['comment[content]', comment.content], ['comment[parent]', comment.parent]];
}

const longestId = 256;

/**
 * The id of a new comment in the reply to `addcomment`; null when it names none. Status 201 alone means that the
 * comment is there, so that only a web page or an error is not believed; under another status the reply must be JSON.
 * Throws `request-refused` for an error in JSON, or a failure of `readJsonReply`.
 */
export function readCommentReply(reply: WholeReply, facts: CallFacts): { id: string | null } {
  const json = reply.status === 201 ? createdJson(reply, facts) : readJsonReply(reply, facts);
  const error = readServiceError(json);
  if (error === null) return { id: idIn(json, facts) };
  return fail(refusalOf(error, reply.status, facts));
}

function createdJson(reply: WholeReply, facts: CallFacts): Json {
  const text = textOf(reply.body);
  if (isWebPage(text)) fail(quotedReply('html-reply', reply, facts));
  return parseJson(text) ?? jsonBehindWarnings(text)?.json ?? null;
}

function idIn(json: Json, { redaction }: CallFacts): string | null {
  if (!isObject(json) || !Object.hasOwn(json, 'id')) return null;
  const id = readText(json['id'] ?? null) ?? null;
  return id === null || id.length > longestId ? null : redaction.data(id);
}

/** The few texts of services that decide what is done next: exactly these, and nothing that is merely like them. */
const quirks = {
  /**
   * To a comment in the documented form, from a release that reads the form with brackets (docs/services.md,
   * "addcomment").
   */
  bracketsOnly: { status: 400, text: 'missing content parameter' },
} as const;

/** Whether a comment was refused only because this server reads the other form of it. Nothing was stored then. */
export function isBracketsOnly(failure: Failure): boolean {
  const { status, text } = quirks.bracketsOnly;
  return failure.kind === 'request-refused' && failure.status === status && failure.text.trim() === text;
}
