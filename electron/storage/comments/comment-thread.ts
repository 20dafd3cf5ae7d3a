import { z } from 'zod';
import {
  type CommentDraft,
  type CommentThread,
  isOfBundle,
  noDraft,
  type OwnComment,
  ownComment,
  plainText,
  type ThreadComment,
} from '../../../shared/domain/comment.ts';
import { type Comment, comment as commentShape } from '../../../shared/domain/sample.ts';
import type { Queries } from '../database/statement.ts';
import { failureOf, readJson } from '../database/stored-json.ts';

/** A comment written here, as far as a thread needs it. `knownIds`: what the service listed when it was begun. */
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

/** The id of a comment that is known only here. */
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
  // Texts can be long, and most of them cannot match a waiting comment.
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

/**
 * Joins the service's comments and the comments written here into one thread: each once, replies directly below their
 * parent, otherwise in the service's order and then in the order of writing. A parent comes before its replies, or is
 * not in the thread; following parents always ends.
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
  // A service's reply to an unlisted comment must not appear under a comment of this computer.
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

export const writtenRow = z.object({
  id: z.number(),
  workspaceId: z.string(),
  md5: z.string(),
  parentId: z.string().nullable(),
  content: z.string(),
  state: ownComment.shape.state,
  remoteId: z.string().nullable(),
  created: z.string(),
  knownIds: z.string(),
  failure: z.string().nullable(),
});

export const writtenColumns = `id, workspace_id AS workspaceId, md5, parent_id AS parentId, content, state,
  remote_id AS remoteId, created, known_ids AS knownIds, failure`;

/** A comment written here, and of which sample. */
export interface OwnCommentRow extends WrittenComment {
  workspaceId: string;
  md5: string;
}

const ids = z.array(z.string());

export const ownCommentOf = ({ knownIds, failure, ...row }: z.infer<typeof writtenRow>): OwnCommentRow => ({
  ...row,
  knownIds: ids.safeParse(readJson(knownIds)).data ?? [],
  failure: failureOf(failure),
});

const lineRow = z.object({ ...commentShape.shape, number: z.number(), place: z.number() });
export type Line = z.infer<typeof lineRow>;

/** Of a text, whose words are found by: a hostile one must not stall the host while it is cut into words. */
export const wordCharacters = 20_000;

/**
 * Written, or read, before the thread may be let go: some milliseconds' worth. A list that is no longer is written at
 * once.
 */
export const linesAStep = 500;
const charactersAStep = 64 * 1024;

/** What is written before the thread is let go: so many lines, fewer where their texts are long. */
export class WritingStep {
  #lines = 0;
  #characters = 0;

  /** Counts a line. @returns whether the step is over with it */
  isOverWith({ content }: Pick<Comment, 'content'>): boolean {
    this.#lines += 1;
    this.#characters += Math.min(content.length, wordCharacters);
    if (this.#lines < linesAStep && this.#characters < charactersAStep) return false;
    [this.#lines, this.#characters] = [0, 0];
    return true;
  }
}

/** Whether a list is written in one step. */
export function isBrief(comments: readonly Comment[]): boolean {
  const step = new WritingStep();
  return !comments.slice(0, -1).some((comment) => step.isOverWith(comment));
}

const countRow = z.object({ count: z.number() });
const draftRow = z.object({ text: z.string(), parentId: z.string().nullable() });
const listsRow = z.object({ listsComments: z.number(), omitted: z.number() });

/** What is said of one sample, as it is stored. */
export class StoredThread {
  readonly #page;
  readonly #upTo;
  readonly #written;
  readonly #draft;
  readonly #lists;

  constructor(db: Queries) {
    this.#page = db.query(
      lineRow,
      `SELECT number, place, id, parent_id AS parentId, author, content, created FROM comment
      WHERE workspace_id = ? AND md5 = ? AND (place, number) > (?, ?) ORDER BY place, number LIMIT ${linesAStep}`,
    );
    this.#upTo = db.query(
      countRow,
      `SELECT count(*) AS count FROM (SELECT 1 FROM comment WHERE workspace_id = ? AND md5 = ? AND place IS NOT NULL
        LIMIT ?)`,
    );
    this.#written = db.query(
      writtenRow,
      `SELECT ${writtenColumns} FROM own_comment WHERE workspace_id = ? AND md5 = ? ORDER BY id`,
    );
    this.#draft = db.query(
      draftRow,
      'SELECT text, parent_id AS parentId FROM comment_draft WHERE workspace_id = ? AND md5 = ?',
    );
    this.#lists = db.query(
      listsRow,
      `SELECT lists_comments AS listsComments, comments_omitted AS omitted FROM record
      WHERE workspace_id = ? AND md5 = ?`,
    );
  }

  read(workspaceId: string, md5: string): CommentThread {
    const listed = [...this.pages(workspaceId, md5)]
      .flat()
      .map(({ id, parentId, author, content, created }) => ({ id, parentId, author, content, created }));
    const { omitted = 0 } = this.#lists.get(workspaceId, md5) ?? {};
    return {
      comments: joinThread(listed, this.written(workspaceId, md5)),
      draft: this.draft(workspaceId, md5),
      listsComments: this.listsComments(workspaceId, md5),
      ...(omitted > 0 && { omitted }),
    };
  }

  /** What the service listed last, in its order, at most `linesAStep` at a time. */
  *pages(workspaceId: string, md5: string): Generator<Line[], void, undefined> {
    for (let [place, number] = [-1, 0]; ;) {
      const page = this.#page.all(workspaceId, md5, place, number);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      [place, number] = [last.place, last.number];
    }
  }

  /** Whether the service listed more than are read or written at once. */
  isLong(workspaceId: string, md5: string): boolean {
    return (this.#upTo.get(workspaceId, md5, linesAStep + 1)?.count ?? 0) > linesAStep;
  }

  /** Those written here, in the order they were written. */
  written(workspaceId: string, md5: string): WrittenComment[] {
    return this.#written.all(workspaceId, md5).map(ownCommentOf);
  }

  draft(workspaceId: string, md5: string): CommentDraft {
    return this.#draft.get(workspaceId, md5) ?? noDraft;
  }

  /** Whether the service lists comments of the sample; false also while it was never asked. */
  listsComments(workspaceId: string, md5: string): boolean {
    return this.#lists.get(workspaceId, md5)?.listsComments === 1;
  }
}

const stamp = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;
const fourDigitYear = /^(?!0000)\d{4}-/;

/**
 * What comments are ordered by: UTC, ISO 8601 with milliseconds. A time without a zone is the server's local time and
 * taken as it is; null for what is no time, or none of the years 0001 to 9999: others are not written with four digits.
 */
export function sortTimeOf(created: string | null): string | null {
  const [, date, clock, fraction = '', zone = 'Z'] = stamp.exec(created?.trim() ?? '') ?? [];
  if (date === undefined || clock === undefined) return null;
  const read = new Date(
    `${date}T${clock}${fraction.slice(0, 4)}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`,
  );
  const time = Number.isNaN(read.getTime()) ? '' : read.toISOString();
  return fourDigitYear.test(time) ? time : null;
}
