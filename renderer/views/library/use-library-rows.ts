import { useCallback, useMemo, useState } from 'react';
import type { LibraryRow, LibrarySort } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-term.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { success } from '../../../shared/failure.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { useAsker } from '../../app/library/use-asker.ts';
import type { LibraryMoment } from '../../app/library/use-library-moment.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../app/use-row-windows.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useToast } from '../../components/toasts.tsx';
import { KnownRows } from './known-rows.ts';
import { text } from './text.ts';

export interface LibraryWindow extends RowWindow<LibraryRow> {
  elapsedMs: number;
}

export interface LibraryRows {
  windows: RowWindows<LibraryWindow>;
  known: KnownRows;
  /** The hashes of a stretch of rows, both ends included, as far as they could be read. Why others could not is told. */
  hashesBetween(first: number, last: number): Promise<readonly string[]>;
}

/** As many rows as one call reads. */
const page = 1000;
/** A stretch that is ticked row by row: more than that is meant by its query. */
const longestStretch = 50_000;

/** What a query finds, window by window. */
export function useLibraryRows(terms: QueryTerm[], sort: LibrarySort, moment: LibraryMoment): LibraryRows {
  const bridge = useBridge();
  const toast = useToast();
  const [known] = useState(() => new KnownRows());
  const list = JSON.stringify([terms, sort, moment.key]);
  const asker = useAsker(list);
  const source = useMemo((): RowSource<LibraryWindow> => {
    const question = { terms, sort, moment: moment.key };
    return {
      name: 'library.list',
      question,
      read: async (offset, limit) => {
        const answer = await asker.ask(list, () => bridge.call('library.list', { asker: asker.id, ...question, offset, limit }));
        return answer.ok ? success({ ...answer.value, rows: answer.value.rows.map((row) => known.note(row)) }) : answer;
      },
    };
  }, [bridge, known, asker, list, terms, sort, moment]);
  const hashesBetween = useCallback(async (first: number, last: number) => {
    const hashes: string[] = [];
    const end = Math.min(last, first + longestStretch - 1);
    for (let offset = first; offset <= end; offset += page) {
      const answer = await source.read(offset, Math.min(page, end - offset + 1));
      if (!answer.ok) {
        toast({ meaning: 'bad', text: text.notTicked(visibleText(sentenceFor(answer.failure).what)), failure: answer.failure });
        break;
      }
      hashes.push(...answer.value.rows.map(({ hash }) => hash));
    }
    return hashes;
  }, [source, toast]);
  return { windows: useRowWindows(source), known, hashesBetween };
}
