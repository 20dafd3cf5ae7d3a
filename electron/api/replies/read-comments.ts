import type { Comment, Json } from '../../../shared/domain/sample.ts';
import { readText, type ValueReader } from './values.ts';

export interface ReadComments {
  /** Each with an id of its own; a parent is always in the list, and never the comment itself or one below it. */
  comments: Comment[];
  /** What was not understood of each: whole entries, or the id and the members that are left. */
  leftOver: Json[];
}

/** Comments as a list of `{id, parent, created, content, author, fullname, …}`; undefined when it is no list. */
export function readComments(value: Json): ReadComments | undefined {
  if (!Array.isArray(value)) return undefined;
  const byId = new Map<string, Comment>();
  const leftOver: Json[] = [];
  for (const [index, entry] of value.entries()) {
    const read = readComment(entry, `unnumbered-${index + 1}`);
    if (read === undefined || byId.has(read.comment.id)) {
      leftOver.push(entry);
      continue;
    }
    byId.set(read.comment.id, read.comment);
    if (Object.keys(read.others).length > 0) leftOver.push({ id: read.comment.id, ...read.others });
  }
  return { comments: withSoundParents(byId), leftOver };
}

/** A record's single `comment` text, as the root of a thread. */
export function rootComment(content: string): Comment {
  return { id: 'comment', parentId: null, author: null, content, created: null };
}

function readComment(entry: Json, spareId: string): { comment: Comment; others: { [key: string]: Json } } | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
  const { id = null, parent = null, created = null, content = null, author = null, fullname = null, ...rest } = entry;
  const [idText, contentText, createdText, authorText, nameText] = [id, content, created, author, fullname].map(
    readText,
  );
  const parentText = readParent(parent);
  if (typeof contentText !== 'string' || idText === undefined) return undefined;
  const others = {
    ...rest,
    ...(parentText === undefined ? { parent } : {}),
    ...(createdText === undefined ? { created } : {}),
    ...(authorText === undefined || (nameText && authorText) ? { author } : {}),
    ...(nameText === undefined ? { fullname } : {}),
  };
  const comment = {
    id: idText ?? spareId,
    parentId: parentText ?? null,
    author: nameText ?? authorText ?? null,
    content: contentText,
    created: createdText ?? null,
  };
  return { comment, others };
}

/** PHP writes "none" also as 0, false or an empty list. */
const readParent: ValueReader<string> = (value) => {
  if (value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)) return null;
  const text = readText(value);
  return text === '0' ? null : text;
};

/**
 * A thread drawn from parents must end: one whose parent is missing is a root, as are those of a ring. What is below
 * them stays there.
 */
function withSoundParents(byId: ReadonlyMap<string, Comment>): Comment[] {
  const rings = ringsIn(byId);
  const isSound = ({ id, parentId }: Comment): boolean => parentId === null || (byId.has(parentId) && !rings.has(id));
  return [...byId.values()].map((comment) => (isSound(comment) ? comment : { ...comment, parentId: null }));
}

/** Those that are above themselves. Each comment is walked over once. */
function ringsIn(byId: ReadonlyMap<string, Comment>): Set<string> {
  const rings = new Set<string>();
  const seen = new Set<string>();
  for (const start of byId.values()) {
    const path: string[] = [];
    let current: Comment | undefined = start;
    for (; current && !seen.has(current.id); current = byId.get(current.parentId ?? '')) {
      seen.add(current.id);
      path.push(current.id);
    }
    const closes = current ? path.indexOf(current.id) : -1;
    if (closes >= 0) for (const id of path.slice(closes)) rings.add(id);
  }
  return rings;
}
