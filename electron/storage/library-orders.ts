import type { LibrarySort, LibrarySortBy } from '../../shared/domain/library.ts';

/** Rows of a list that lie side by side in it. */
export interface OrderPart {
  /** Which rows they are. */
  where: string;
  /** The order as an index of `source` has it. */
  inIndex: string;
  /** The same, kept from being taken for the order of an index. */
  sorted: string;
  /** The table by its index in this order; null where there is none. */
  source: string | null;
}

interface Key {
  expression: string;
  /** Which rows have a value; null: all. */
  has: string | null;
  index: string | null;
}

const text = (column: string): Key => ({
  expression: `${column} COLLATE NOCASE`,
  has: `${column} IS NOT NULL`,
  index: null,
});
const counted = (column: string): Key => ({ expression: column, has: `${column} > 0`, index: `sample_by_${column}` });

/** Without a hit, a comment, a tag or bytes in the vault a row has no value to be ordered by. */
const keys: Record<LibrarySortBy, Key> = {
  hash: { expression: 'ifnull(sample.sha256, sample.md5)', has: null, index: null },
  name: text('name'),
  size: { expression: 'size_bytes', has: 'size_bytes IS NOT NULL', index: 'sample_by_size' },
  type: text('type'),
  tags: { expression: 'tags COLLATE NOCASE', has: "tags <> ','", index: null },
  tlp: { expression: 'tlp', has: 'tlp IS NOT NULL', index: 'sample_by_tlp' },
  threat: text('threat'),
  hits: counted('hits'),
  comments: counted('comments'),
  firstSeen: { expression: 'first_seen', has: null, index: 'sample_by_first_seen' },
  lastSeen: { expression: 'last_seen', has: null, index: 'sample_by_last_seen' },
  vault: {
    expression: "CASE damage WHEN 'altered' THEN 1 WHEN 'missing' THEN 2 ELSE 0 END",
    has: '(in_vault = 1 OR damage IS NOT NULL)',
    index: null,
  },
};

/** Rows with a value, then those without, each by its age where they are equal: every row has its place. */
export function orderParts({ by, descending }: LibrarySort): OrderPart[] {
  const { expression, has, index } = keys[by];
  const way = descending ? 'DESC' : 'ASC';
  const part = (where: string, key: string, source: string | null): OrderPart => ({
    where,
    source,
    inIndex: `${key}sample.id ${way}`,
    sorted: `${key === '' ? '' : '+'}${key}+sample.id ${way}`,
  });
  const valued = part(has ?? 'true', `${expression} ${way}, `, index === null ? null : `sample INDEXED BY ${index}`);
  return has === null ? [valued] : [valued, part(`NOT (${has})`, '', 'sample NOT INDEXED')];
}
