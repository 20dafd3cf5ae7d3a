import { replaceEqualDeep } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { LibraryRow, LibrarySort } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import type { QueryProblem } from '../../../shared/domain/query-problems.ts';
import { success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { type LibraryPlace, useLibraryPlaces } from '../../features/library/library-place.tsx';
import { type LibraryMoment, useAsker } from '../../features/library/library-reads.ts';
import { useRested } from '../../state/pacing.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../state/row-windows.ts';
import { mostNamed, namedSelections, readFacts } from '../../features/library/action-target.ts';
import { text } from './strings.ts';

/** One list: rows of another one have other places, and are others. */
interface RequestedList {
  /** null while nothing can be searched by. */
  by: FoundBy | null;
  sort: LibrarySort;
  /** The key of a moment. */
  moment: string;
}

interface LibraryWindow extends RowWindow<LibraryRow> {
  elapsedMs: number;
  /** Whose rows these are. */
  list: RequestedList;
}

/** What was found: the rows in sight and how many there are belong to this query, whatever is searched by meanwhile. */
export interface FoundList {
  by: FoundBy;
  total: number;
}

/** The same object as long as nothing of it changes. */
export interface LibraryRows {
  windows: RowWindows<LibraryWindow>;
  /** null before the first answer. */
  found: FoundList | null;
  /** What was found is what is searched by: before that nothing is done with it. */
  isAnswered: boolean;
  known: KnownRows;
  /**
   * The hashes of a stretch of the rows that are shown, both ends included, as far as they could be read. Failures to
   * read the others are reported.
   */
  hashesBetween(first: number, last: number): Promise<readonly string[]>;
}

/** As many rows as one call reads. */
const page = 1000;
/** A stretch that is ticked row by row: more than that is meant by its query. */
const longestStretch = 50_000;

/** What a query finds, window by window. */
export function useLibraryRows(foundBy: FoundBy | null, sort: LibrarySort, moment: LibraryMoment): LibraryRows {
  const toast = useToast();
  const [known] = useState(() => new KnownRows());
  const list = useMemo((): RequestedList => ({ by: foundBy, sort, moment: moment.key }), [foundBy, sort, moment]);
  const read = useRead(list, known);
  const source = useMemo(
    (): RowSource<LibraryWindow> => ({
      name: 'library.list',
      question: list,
      read: (offset, limit) => read(list, offset, limit),
    }),
    [list, read],
  );
  const windows = useRowWindows(source);
  const { drawn } = windows;
  const shown = drawn?.list ?? list;
  const hashesBetween = useCallback(
    async (first: number, last: number) => {
      const hashes: string[] = [];
      const end = Math.min(last, first + longestStretch - 1);
      if (end < last) toast({ meaning: 'info', text: text.stretchTooLong(longestStretch) });
      for (let offset = first; offset <= end; offset += page) {
        const answer = await read(shown, offset, Math.min(page, end - offset + 1));
        if (!answer.ok) {
          toast({
            meaning: 'bad',
            text: text.notTicked(describeFailure(answer.failure).what),
            failure: answer.failure,
          });
          break;
        }
        hashes.push(...answer.value.rows.map(({ hash }) => hash));
      }
      return hashes;
    },
    [read, shown, toast],
  );
  const [by, total] = [drawn?.list.by ?? null, drawn?.total ?? 0];
  const found = useMemo(() => (by === null ? null : { by, total }), [by, total]);
  const isAnswered = found !== null && found.by.text === foundBy?.text;
  return useMemo(
    () => ({ windows, found, isAnswered, known, hashesBetween }),
    [windows, found, isAnswered, known, hashesBetween],
  );
}

/** Reads a window of a list; `shown`: the one that is searched by. */
function useRead(shown: RequestedList, known: KnownRows) {
  const bridge = useBridge();
  const asker = useAsker(JSON.stringify(shown));
  return useCallback(
    async (list: RequestedList, offset: number, limit: number) => {
      const { by, sort, moment } = list;
      const answer = await asker.ask(JSON.stringify(list), () =>
        bridge.call('library.list', { asker: asker.id, terms: by?.terms ?? [], sort, moment, offset, limit }),
      );
      return answer.ok
        ? success({ ...answer.value, rows: answer.value.rows.map((row) => known.note(row)), list })
        : answer;
    },
    [bridge, asker, known],
  );
}

/** As many rows are remembered, those that were read last. */
const kept = 20_000;

/** The rows that were read so far, as they were then. */
class KnownRows {
  readonly #rows = new Map<string, LibraryRow>();
  /** Those that have a SHA-256, by their MD5. */
  readonly #byMd5 = new Map<string, LibraryRow>();

  /** The same object as before where nothing of the row changed: then it is not drawn again. */
  note(row: LibraryRow): LibraryRow {
    const before = this.#rows.get(row.hash);
    const now = before === undefined ? row : replaceEqualDeep(before, row);
    this.#rows.delete(row.hash);
    this.#rows.set(row.hash, now);
    if (now.sha256 !== null && now.md5 !== null) this.#byMd5.set(now.md5, now);
    const [oldest] = this.#rows.values();
    if (this.#rows.size > kept && oldest !== undefined) this.#forget(oldest);
    return now;
  }

  of(hash: string): LibraryRow | undefined {
    return this.#rows.get(hash);
  }

  /** Whether a row with a SHA-256 was read that has this MD5: the one that went by the MD5 alone may be it. */
  isMd5OfOther(hash: string): boolean {
    return this.#byMd5.has(hash);
  }

  /** How large these are together, in bytes; null where one of them is not remembered. */
  bytesOf(hashes: Iterable<string>): number | null {
    let sum = 0;
    for (const hash of hashes) {
      const row = this.#rows.get(hash);
      if (row === undefined) return null;
      sum += row.sizeBytes ?? 0;
    }
    return sum;
  }

  #forget({ hash, md5 }: LibraryRow): void {
    this.#rows.delete(hash);
    if (md5 !== null && this.#byMd5.get(md5)?.hash === hash) this.#byMd5.delete(md5);
  }
}

/**
 * A sample goes by its MD5 until its SHA-256 is known: what is ticked and chosen by the one is from then on by the
 * other. Whether it is the same sample is for the host to say, since several may have one MD5; where it cannot be
 * asked, the next rows that come are reason to.
 */
export function useFollowedHashes({ windows: { drawn }, known }: LibraryRows): void {
  const bridge = useBridge();
  const places = useLibraryPlaces();
  useEffect(() => {
    let isOver = false;
    const follow = async (): Promise<void> => {
      const md5s = outdatedIn(places.snapshot(), known);
      if (drawn === null || md5s.length === 0) return;
      const hashes = await nowKnown(bridge, md5s);
      if (!isOver && hashes.size > 0) places.note(followed(places.snapshot(), hashes, known));
    };
    void follow();
    return () => {
      isOver = true;
    };
  }, [bridge, places, drawn, known]);
}

function outdatedIn({ selection, current }: LibraryPlace, known: KnownRows): string[] {
  const noted = current === null ? selection.keys : new Set([...selection.keys, current.hash]);
  return [...noted].filter((hash) => known.isMd5OfOther(hash)).slice(0, mostNamed);
}

/** The SHA-256 of those samples of which one is known by now, by their MD5. */
async function nowKnown(bridge: Bridge<File>, md5s: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const facts = await readFacts(bridge, { selections: namedSelections(md5s) }, mostNamed);
  return new Map(
    facts.ok ? facts.value.flatMap(({ md5, sha256 }) => (md5 === null || sha256 === null ? [] : [[md5, sha256]])) : [],
  );
}

function followed(
  { selection, current }: LibraryPlace,
  hashes: ReadonlyMap<string, string>,
  known: KnownRows,
): Partial<LibraryPlace> {
  const keys = new Set([...selection.keys].map((hash) => hashes.get(hash) ?? hash));
  const row = current === null ? undefined : known.of(hashes.get(current.hash) ?? current.hash);
  return { selection: { ...selection, keys }, current: row ?? current };
}

/** A search begins when the typing rests. */
const searchRestMs = 120;
/** Half a word is no mistake yet. */
const problemRestMs = 500;

export interface FoundBy {
  /** As it was written. */
  text: string;
  terms: QueryTerm[];
}

export interface RequestedQuery {
  /** What is searched by: the last text that could be read; null while there is none. */
  foundBy: FoundBy | null;
  /** Why the text in the field is invalid, once typing has stopped. */
  problem: QueryProblem | null;
}

/** What the library is searched by. A text that cannot be read changes nothing but what is said about it. */
export function useRequestedQuery({ query, isTyped }: LibraryPlace, moment: LibraryMoment): RequestedQuery {
  const searched = useSearchedText(query, isTyped);
  const settled = useRested(query, problemRestMs);
  const read = useMemo(() => readLibraryQuery(searched, moment.now), [searched, moment]);
  const [readable, setReadable] = useState<string | null>(null);
  if (read.kind === 'terms' && readable !== searched) setReadable(searched);
  // A newly set text is no change of the query before.
  if (read.kind === 'problem' && !isTyped && readable !== null) setReadable(null);
  const foundBy = useMemo((): FoundBy | null => {
    const asked = readable === null ? null : readLibraryQuery(readable, moment.now);
    return readable === null || asked?.kind !== 'terms' ? null : { text: readable, terms: asked.terms };
  }, [readable, moment]);
  const isAtRest = !isTyped || settled === query;
  return { foundBy, problem: read.kind === 'problem' && searched === query && isAtRest ? read.problem : null };
}

/** What is typed once it rests, what is put in at once: what was typed before that is not searched by any more. */
function useSearchedText(query: string, isTyped: boolean): string {
  const [searched, setSearched] = useState(query);
  if (!isTyped && searched !== query) setSearched(query);
  useEffect(() => {
    const timer = setTimeout(() => setSearched(query), searchRestMs);
    return () => clearTimeout(timer);
  }, [query]);
  return isTyped ? searched : query;
}
