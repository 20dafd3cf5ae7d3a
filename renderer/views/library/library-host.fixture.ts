import type { OperationInput } from '../../../shared/contract.ts';
import type { LibraryRow, LibrarySelection, SavedView, SelectionMark } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import type { FoundSample } from '../../../shared/domain/server-record.ts';
import { fail } from '../../../shared/failure.ts';
import { factsOf } from '../../features/library/sample-facts.fixture.ts';
import type { GivenAnswers } from '../../test/memory-bridge.ts';

/** A library in memory that understands words of names, tags and sizes. */
export class LibraryHost {
  rows: readonly LibraryRow[];
  views: SavedView[] = [];

  constructor(rows: readonly LibraryRow[]) {
    this.rows = rows;
  }

  readonly answers: GivenAnswers = {
    'library.count': () => ({ samples: this.rows.length, inVault: 0, vaultBytes: 0 }),
    'library.list': ({ terms, offset, limit, sort }) => {
      const found = this.#found(terms).toSorted(
        (one, other) =>
          (sort.by === 'size' ? (one.sizeBytes ?? 0) - (other.sizeBytes ?? 0) : 0) * (sort.descending ? -1 : 1),
      );
      return { rows: found.slice(offset, offset + limit), total: found.length, elapsedMs: 6 };
    },
    'library.totals': ({ queries }) => ({ totals: queries.map((terms) => this.#total(terms)) }),
    'library.sample': ({ hash }) => {
      const row = this.#rowOf(hash) ?? fail({ kind: 'not-in-library', hash });
      return { row, note: null, tlps: [], names: [], records: [], sameMd5: [] };
    },
    'library.facts': ({ selection }) => ({ samples: this.#targets(selection).map(factsOf), next: null }),
    'library.change': ({ selection, change }) => this.#change(selection, change),
    'library.meant': ({ selection }) => markOf(this.#targets(selection)),
    'library.forget': ({ selection, expected }) => {
      const gone = this.#targets(selection);
      if (selection.kind === 'query' && markOf(gone).mark !== expected?.mark)
        fail({ kind: 'selection-changed', expected: expected?.samples ?? 0, found: gone.length });
      this.rows = this.rows.filter((row) => !gone.includes(row));
      return { forgotten: gone.length };
    },
    'library.suggest': ({ beginning }) => ({
      choices: ['family:emotet', 'family:ashveil'].filter((tag) => tag.startsWith(beginning)),
    }),
    'views.list': () => ({ views: this.views }),
    'views.save': ({ id, ...view }) => {
      const saved = { ...view, id: id ?? this.views.length + 1 };
      this.views = id === null ? [...this.views, saved] : this.views.map((each) => (each.id === id ? saved : each));
      return saved;
    },
    'views.remove': ({ id }) => {
      this.views = this.views.filter((view) => view.id !== id);
      return {};
    },
    'views.move': ({ id, before }) => {
      const moved = this.views.filter((view) => view.id === id);
      const others = this.views.filter((view) => view.id !== id);
      const at = before === null ? others.length : others.findIndex((view) => view.id === before);
      this.views = others.toSpliced(at, 0, ...moved);
      return {};
    },
  };

  #found(terms: readonly QueryTerm[]): LibraryRow[] {
    return this.rows.filter((row) => terms.every((term) => isFound(row, term) !== term.negated));
  }

  #total(terms: readonly QueryTerm[]): { samples: number; bytes: number } {
    const found = this.#found(terms);
    return { samples: found.length, bytes: found.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0) };
  }

  /** An MD5 means the row that goes by it, else the one that has it. */
  #rowOf(hash: string): LibraryRow | undefined {
    return this.rows.find((row) => row.hash === hash) ?? this.rows.find(({ md5 }) => md5 === hash);
  }

  #targets(selection: LibrarySelection): LibraryRow[] {
    if (selection.kind === 'named') {
      const named = new Set(selection.hashes.map((hash) => this.#rowOf(hash)));
      return this.rows.filter((row) => named.has(row));
    }
    return this.#found(selection.terms).filter(({ hash }) => !selection.except.includes(hash));
  }

  #change(
    selection: LibrarySelection,
    { add, remove }: OperationInput<'library.change'>['change'],
  ): { changed: number; leftOut: number } {
    const target = this.#targets(selection);
    const able = target.filter(({ sha256 }) => sha256 !== null);
    this.rows = this.rows.map((row) =>
      able.includes(row)
        ? { ...row, tags: [...new Set([...row.tags.filter((tag) => !remove.includes(tag)), ...add])] }
        : row,
    );
    return { changed: able.length, leftOut: target.length - able.length };
  }
}

/** Of rows of this fixture, whose hashes differ in their last digits. */
const markOf = (rows: readonly LibraryRow[]): SelectionMark => ({
  samples: rows.length,
  mark: rows
    .map(({ hash }) => hash.slice(-2))
    .join('')
    .padEnd(64, '0'),
});

function isFound({ name, tags, sizeBytes }: LibraryRow, term: QueryTerm): boolean {
  if (term.field === 'text') return name?.includes(term.value) === true;
  if (term.field === 'tag') return term.match.kind === 'any' ? tags.length > 0 : tags.includes(term.match.value);
  if (term.field === 'size') return (sizeBytes ?? 0) >= (term.least ?? 0);
  return true;
}

/** As a repository lists it. */
export const serverSample = (number: number, more: Partial<FoundSample> = {}): FoundSample => ({
  md5: number.toString(16).padStart(32, '0'),
  sha256: null,
  name: `server ${number}.exe`,
  sizeBytes: 2048,
  date: '2026-11-30 03:23:30',
  threat: null,
  tags: [],
  uploader: null,
  ...more,
});
