import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { JournalFilter, JournalLine } from '../../../shared/domain/journal.ts';
import { success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent } from '../../bridge/operations.ts';
import { useAsker } from '../../features/library/library-reads.ts';
import { paced } from '../../state/pacing.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../state/row-windows.ts';

interface JournalWindow extends RowWindow<JournalLine> {
  /** Number of the first row of the list; null: there is none. */
  newest: number | null;
  /** Rows that came since, and are held back. */
  newer: number;
}
export type JournalWindows = RowWindows<JournalWindow>;

const refreshEveryMs = 500;

/** The rows that a filter means, window by window, as they stand; behind `upTo` they are held back. */
export function useJournalWindows(filter: JournalFilter, upTo: number | null): JournalWindows {
  const bridge = useBridge();
  const key = JSON.stringify(filter);
  const asker = useAsker(key);
  const source = useMemo(
    (): RowSource<JournalWindow> => ({
      name: 'journal.list',
      question: { filter, upTo },
      read: async (offset, limit) => {
        const answer = await asker.ask(key, () =>
          bridge.call('journal.list', { asker: asker.id, filter, ...(upTo !== null && { upTo }), offset, limit }),
        );
        if (!answer.ok) return answer;
        const { lines: rows, ...facts } = answer.value;
        return success({ rows, ...facts });
      },
    }),
    [bridge, asker, filter, key, upTo],
  );
  useRefresh();
  return useRowWindows(source);
}

/** While rows come, those in sight are read again, one reading after the other. */
function useRefresh(): void {
  const client = useQueryClient();
  useEvent(
    'journal.changed',
    useMemo(() => paced(refreshEveryMs, () => client.invalidateQueries({ queryKey: ['journal.list'] })), [client]),
  );
}
