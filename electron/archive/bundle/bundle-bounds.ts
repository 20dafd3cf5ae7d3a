import type { BundledRecord } from '../../../shared/domain/bundle.ts';

/**
 * What the records of one sample may be together, in a bundle that is read or written. They are put into the library in
 * one go on the host's own thread, which is never held up for longer than 50 ms: comments take the longest, as they are
 * found by their words.
 */
const bounds = {
  depth: 32,
  values: 40_000,
  characters: 512 * 1024,
  comments: 1000,
  commentCharacters: 256 * 1024,
  idCharacters: 256,
} as const;

type BundledComment = BundledRecord['record']['comments'][number];
type Spent = { -readonly [K in 'values' | 'characters' | 'comments' | 'commentCharacters']: number };

/** What the records of a sample may still have. */
export class RecordBounds {
  readonly #left: Spent = {
    values: bounds.values,
    characters: bounds.characters,
    comments: bounds.comments,
    commentCharacters: bounds.commentCharacters,
  };

  /** @returns whether there was room for it; where there was none, nothing is taken */
  take({ record }: BundledRecord): boolean {
    const { comments } = record;
    if (comments.some(({ id, parentId }) => Math.max(id.length, parentId?.length ?? 0) > bounds.idCharacters))
      return false;
    const commentCharacters = comments.reduce((sum, comment) => sum + charactersOf(comment), 0);
    const measured = measure(record, this.#left);
    if (measured === null || comments.length > this.#left.comments || commentCharacters > this.#left.commentCharacters)
      return false;
    this.#left.values -= measured.values;
    this.#left.characters -= measured.characters;
    this.#left.comments -= comments.length;
    this.#left.commentCharacters -= commentCharacters;
    return true;
  }

  /** Of more than there is room for the latest, in the order they have. */
  latest(comments: readonly BundledComment[]): BundledComment[] {
    const kept = new Set<BundledComment>();
    let left = this.#left.commentCharacters;
    for (const comment of comments.toSorted(byTime).toReversed()) {
      left -= charactersOf(comment);
      if (left < 0 || kept.size === this.#left.comments) break;
      kept.add(comment);
    }
    return comments.filter((comment) => kept.has(comment));
  }
}

const charactersOf = ({ content, author }: BundledComment): number => content.length + (author?.length ?? 0);

/** A service writes its times in one way; those it did not say come first. */
function byTime({ created: one }: BundledComment, { created: other }: BundledComment): number {
  if (one === other) return 0;
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

/** Without recursion: it may be nested more deeply than the stack is high. @returns null for more than there may be */
function measure(
  whole: object,
  most: Pick<Spent, 'values' | 'characters'>,
): Pick<Spent, 'values' | 'characters'> | null {
  const open: [unknown, number][] = [[whole, 0]];
  let [values, characters] = [0, 0];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (values > most.values || characters > most.characters) return null;
    if (typeof value !== 'object' || value === null) continue;
    const parts: [string, unknown][] = Object.entries(value);
    if (depth === bounds.depth || parts.length > most.values) return null;
    for (const [name, part] of parts) {
      if (!Array.isArray(value)) characters += name.length;
      open.push([part, depth + 1]);
    }
  }
  return { values, characters };
}
