import type { Comment, Json } from '../../../shared/domain/sample.ts';
import { readText } from './values.ts';

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
  const [idText, parentText, contentText, createdText, authorText, nameText] = [id, parent, content, created, author, fullname].map(readText);
  if (typeof contentText !== 'string' || idText === undefined || parentText === undefined) return undefined;
  const others = {
    ...rest,
    ...(createdText === undefined ? { created } : {}),
    ...(authorText === undefined || (nameText && authorText) ? { author } : {}),
    ...(nameText === undefined ? { fullname } : {}),
  };
  const comment = {
    id: idText ?? spareId,
    parentId: parentText === '0' ? null : (parentText ?? null),
    author: nameText ?? authorText ?? null,
    content: contentText,
    created: createdText ?? null,
  };
  return { comment, others };
}

/** A thread drawn from parents must end: a missing parent, or one that leads back, makes a comment a root. */
function withSoundParents(byId: ReadonlyMap<string, Comment>): Comment[] {
  const sound = new Map<string, boolean>();
  return [...byId.values()].map((comment) => (leadsToRoot(comment, byId, sound) ? comment : { ...comment, parentId: null }));
}

function leadsToRoot(start: Comment, byId: ReadonlyMap<string, Comment>, sound: Map<string, boolean>): boolean {
  const path = new Set<string>();
  let current: Comment | undefined = start;
  while (current && current.parentId !== null && !sound.has(current.id) && !path.has(current.id)) {
    path.add(current.id);
    current = byId.get(current.parentId);
  }
  const reached = current !== undefined && (current.parentId === null || sound.get(current.id) === true);
  for (const id of path) sound.set(id, reached);
  return reached;
}
