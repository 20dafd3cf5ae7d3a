import { useCallback, useMemo, useState } from 'react';
import type { LibraryRow, LibrarySort } from '../../../shared/domain/library.ts';
import { success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-words.ts';
import { useToast } from '../../components/toasts.tsx';
import { type LibraryMoment, useAsker } from '../../features/library/library-reads.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../state/row-windows.ts';
import { KnownRows } from './known-rows.ts';
import { text } from './text.ts';
import type { FoundBy } from './use-asked-query.ts';

/** One list: rows of another one stand at other places, and are others. */
interface AskedList {
  /** null while nothing can be searched by. */
  by: FoundBy | null;
  sort: LibrarySort;
  /** The key of a moment. */
  moment: string;
}

export interface LibraryWindow extends RowWindow<LibraryRow> {
  elapsedMs: number;
  /** Whose rows these are. */
  list: AskedList;
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
   * The hashes of a stretch of the rows that are shown, both ends included, as far as they could be read. Why others
   * could not is told.
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
  const list = useMemo((): AskedList => ({ by: foundBy, sort, moment: moment.key }), [foundBy, sort, moment]);
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
          toast({ meaning: 'bad', text: text.notTicked(failureWords(answer.failure).what), failure: answer.failure });
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
function useRead(shown: AskedList, known: KnownRows) {
  const bridge = useBridge();
  const asker = useAsker(JSON.stringify(shown));
  return useCallback(
    async (list: AskedList, offset: number, limit: number) => {
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
