import { z } from 'zod';
import type { ActionCall } from './action.ts';
import { LabError } from './errors.ts';
import { FormFields, readText, textTooLong } from './form-fields.ts';
import type { FormLimits } from './form-limits.ts';
import { formType } from './form-type.ts';
import { readParts } from './multipart.ts';

/** What somebody wants to say of a sample. */
export interface CommentForm {
  hash: string | null;
  content: string;
  /** The comment it answers; null for a new thread. */
  parent: number | null;
}

/** A character of a text may come as `%5Cu0001`. */
const bytesForOne = 8;
/** Clients send two or three; a hundred thousand would take minutes to read. */
const mostFields = 50;
const tooManyFields = (): LabError => new LabError('bad-parameter', `A comment has at most ${mostFields} fields.`);
/** Besides the comment: its hash, and what a form is made of. */
const besidesBytes = 64 * 1024;

/**
 * @throws LabError `missing-parameter` with the message that clients know an empty comment by, and for what cannot be
 * read
 */
export async function readCommentForm(
  call: Pick<ActionCall, 'request' | 'body'>,
  limits: FormLimits,
): Promise<CommentForm> {
  const fields = await readFields(call, limits);
  const { content, parent } = readComment(fields);
  if (typeof content === 'string' && Buffer.byteLength(content) > limits.fieldBytes)
    throw textTooLong('comment', limits.fieldBytes);
  return { hash: fields.one('hash'), content: readContent(content), parent: readParent(parent) };
}

async function readFields(
  { request, body }: Pick<ActionCall, 'request' | 'body'>,
  limits: FormLimits,
): Promise<FormFields> {
  const mostBytes = limits.fieldBytes * bytesForOne + besidesBytes;
  const type = formType(request);
  const fields = new FormFields();
  if (type.kind === 'urlencoded') {
    const text = await readText('comment', body(mostBytes), mostBytes);
    if (text.split('&', mostFields + 1).length > mostFields) throw tooManyFields();
    for (const [name, value] of new URLSearchParams(text)) fields.add(name, value);
    return fields;
  }
  let parts = 0;
  for await (const { name, fileName, bytes } of readParts(body(mostBytes), type.boundary)) {
    parts += 1;
    if (parts > mostFields) throw tooManyFields();
    if (fileName !== null) throw new LabError('bad-parameter', 'A comment cannot have a file.');
    fields.add(name, await readText(name, bytes(), mostBytes));
  }
  return fields;
}

/** `comment` = `{"content", "parent"}`, or the two as `comment[content]` and `comment[parent]`. */
function readComment(fields: FormFields): { content: unknown; parent: unknown } {
  const json = fields.one('comment');
  if (json === null) return { content: fields.one('comment[content]'), parent: fields.one('comment[parent]') };
  const comment = z.object({ content: z.unknown().optional(), parent: z.unknown().optional() }).safeParse(parsed(json));
  if (!comment.success) throw new LabError('bad-parameter', 'The field "comment" is not a JSON object.');
  return { content: comment.data.content, parent: comment.data.parent };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function readContent(content: unknown): string {
  if (content === undefined || content === null || (typeof content === 'string' && content.trim() === ''))
    throw new LabError('missing-parameter', 'missing content parameter');
  if (typeof content !== 'string' || !content.isWellFormed())
    throw new LabError('bad-parameter', 'The content of a comment must be text.');
  return content;
}

function readParent(parent: unknown): number | null {
  if (parent === undefined || parent === null || parent === '') return null;
  const id =
    typeof parent === 'number'
      ? parent
      : typeof parent === 'string' && /^\d{1,15}$/.test(parent)
        ? Number(parent)
        : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new LabError('bad-parameter', 'The parent of a comment must be a number.');
  return id;
}
