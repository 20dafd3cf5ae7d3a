import { isOfBundle, type OwnComment, type ThreadComment } from '../../shared/domain/comment.ts';
import type { Comment } from '../../shared/domain/sample.ts';

/** A comment this desk wrote, as far as a thread needs it. `knownIds`: what the service listed when it was begun. */
export interface WrittenComment extends Pick<OwnComment, 'id' | 'state' | 'failure'> {
  parentId: string | null;
  content: string;
  remoteId: string | null;
  created: string;
  knownIds: readonly string[];
}

/**
 * Ids that the reader of records gave, where a service gave none: they are of a place in the list, not of a comment.
 */
const isGivenHere = (id: string): boolean => id === 'comment' || /^unnumbered-\d+$/.test(id);

/** The id of a comment that only this desk knows. */
export const ownLineId = (id: number): string => `own-${id}`;

/**
 * Each comment once, with an id of its own: what is the same in every part is dropped, what shares only the id is kept
 * under another.
 */
export function distinctComments(comments: readonly Comment[]): readonly Comment[] {
  if (new Set(comments.map(({ id }) => id)).size === comments.length) return comments;
  const seen = new Set<string>();
  const names = new Names();
  return comments.flatMap((comment) => {
    const { id, parentId, author, content, created } = comment;
    const whole = JSON.stringify([id, parentId, author, content, created]);
    if (seen.has(whole)) return [];
    seen.add(whole);
    return [{ ...comment, id: names.free(id) }];
  });
}

type Said = Pick<Comment, 'parentId' | 'content'>;

/**
 * Which listed comment each own one is: the index by the own id. By the id the service gave; else by text and parent,
 * among those that were not there when it was begun. A comment that failed is none of them. The newest own one has the
 * fewest to choose from and chooses first. `said` reads one that is listed: only those that may be one of them are.
 */
export function matchOwn(
  listed: readonly string[],
  own: readonly WrittenComment[],
  said: (index: number) => Said | null,
): Map<number, number> {
  const matches = new Map<number, number>();
  if (own.length === 0) return matches;
  const places = new Map(listed.map((id, index) => [id, index]));
  const taken = new Set<number>();
  const take = (id: number, index: number | undefined): void => {
    if (index === undefined || taken.has(index)) return;
    taken.add(index);
    matches.set(id, index);
  };
  const arrived = own.filter(({ state }) => state !== 'failed');
  for (const { id, remoteId } of arrived) if (remoteId !== null) take(id, places.get(remoteId));
  const waiting = arrived
    .filter(({ id }) => !matches.has(id))
    .toReversed()
    .map((written) => ({ written, known: new Set(written.knownIds) }));
  const mayBe = (index: number, known: ReadonlySet<string>): boolean =>
    !taken.has(index) && isNew(listed[index] ?? '', known);
  // Texts can be long, and most of them are of nobody who waits.
  const candidates =
    waiting.length === 0 ? [] : [...listed.keys()].filter((index) => waiting.some(({ known }) => mayBe(index, known)));
  const byText = Map.groupBy(candidates, (index) => textKey(said(index), places));
  for (const { written, known } of waiting)
    take(
      written.id,
      byText.get(textKey(written, places))?.findLast((index) => mayBe(index, known)),
    );
  return matches;
}

/** What came by a bundle is no answer of the service. */
const isNew = (id: string, known: ReadonlySet<string>): boolean =>
  isGivenHere(id) || (!known.has(id) && !isOfBundle(id));

/** A parent that is not listed counts as none. */
function textKey(comment: Said | null, places: ReadonlyMap<string, number>): string {
  const { parentId = null, content = '' } = comment ?? {};
  return JSON.stringify([parentId !== null && places.has(parentId) ? parentId : null, plainText(content)]);
}

const markup: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const escaped = /&(?:(amp|lt|gt|quot|apos)|#0{0,5}(3[489]|6[02])|#x0{0,4}(2[267]|3[ce]));/gi;
/** Looks at each run of white space once: a long one must not be read again from each of its places. */
const endsOfLines = /(?<![^\S\n])[^\S\n]+(?=\n)/g;

/**
 * What two texts have in common when one of them came through a service: forms change the ends of lines (HTML Standard,
 * "multipart/form-data encoding algorithm"), and services trim, compose letters, and write markup as entities. Those
 * are decoded once.
 */
export function plainText(text: string): string {
  const decoded = text.replaceAll(
    escaped,
    (_, name?: string, decimal?: string, hexadecimal?: string) =>
      markup.get(name?.toLowerCase() ?? '') ??
      String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)),
  );
  return decoded.replaceAll(/\r\n?/g, '\n').replaceAll(endsOfLines, '').trim().normalize('NFC');
}

/**
 * The service's comments and this desk's own as one thread: each once, replies right below what they answer, else in
 * the service's order and then in the order they were written. A parent stands before its replies, or is not in the
 * thread; following parents always ends.
 */
export function joinThread(listed: readonly Comment[], own: readonly WrittenComment[]): ThreadComment[] {
  const comments = distinctComments(listed);
  const matches = matchOwn(
    comments.map(({ id }) => id),
    own,
    (index) => comments[index] ?? null,
  );
  const ownOf = new Map(
    own.flatMap((written) => (matches.has(written.id) ? [[matches.get(written.id), written]] : [])),
  );
  // What the service says under a comment that is not listed must not come to stand under one of this desk's.
  const names = new Names(comments.flatMap(({ id, parentId }) => [id, parentId ?? id]));
  const alone = own
    .filter(({ id }) => !matches.has(id))
    .map((written) => ({ written, id: names.free(ownLineId(written.id)) }));
  const lineOfRemote = new Map(
    alone.flatMap(({ written, id }) => (written.remoteId === null ? [] : [[written.remoteId, id]])),
  );
  const isListed = new Set(comments.map(({ id }) => id));
  const parentOf = ({ parentId }: WrittenComment): string | null =>
    parentId === null || isListed.has(parentId) ? parentId : (lineOfRemote.get(parentId) ?? parentId);
  return inThreadOrder([
    ...comments.map((comment, index) => ({ ...comment, own: ownFactsOf(ownOf.get(index), true) })),
    ...alone.map(({ written, id }) => ({
      id,
      parentId: parentOf(written),
      author: null,
      content: written.content,
      created: written.created,
      own: ownFactsOf(written, false),
    })),
  ]);
}

const ownFactsOf = (written: WrittenComment | undefined, isListed: boolean): OwnComment | null =>
  written ? { id: written.id, state: written.state, isListed, failure: written.failure } : null;

/** What no root leads to goes round in a circle: its first comment becomes a root. */
function inThreadOrder(comments: readonly ThreadComment[]): ThreadComment[] {
  const ids = new Set(comments.map(({ id }) => id));
  const replies = Map.groupBy(comments, ({ parentId }) => parentId);
  const ordered = new Map<string, ThreadComment>();
  const below = (root: ThreadComment): void => {
    const open = [root];
    for (let comment = open.pop(); comment; comment = open.pop()) {
      if (ordered.has(comment.id)) continue;
      ordered.set(comment.id, comment);
      for (const reply of (replies.get(comment.id) ?? []).toReversed()) open.push(reply);
    }
  };
  for (const comment of comments) if (comment.parentId === null || !ids.has(comment.parentId)) below(comment);
  for (const comment of comments) if (!ordered.has(comment.id)) below({ ...comment, parentId: null });
  return [...ordered.values()];
}

/** Gives each id that is taken already a number behind it. */
class Names {
  readonly #taken: Set<string>;
  readonly #last = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  free(name: string): string {
    let free = name;
    for (let number = this.#last.get(name) ?? 1; this.#taken.has(free);) {
      number += 1;
      free = `${name} (${number})`;
      this.#last.set(name, number);
    }
    this.#taken.add(free);
    return free;
  }
}
