import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { JournalFilter, JournalLine } from '../../../shared/domain/journal.ts';
import { success } from '../../../shared/failure.ts';
import { useAsker } from '../../app/library/use-asker.ts';
import { paced } from '../../app/paced.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../app/use-row-windows.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent } from '../../bridge/use-event.ts';

export type JournalWindows = RowWindows<RowWindow<JournalLine>>;

const refreshEveryMs = 500;

/** The rows that a filter means, window by window, as they stand. */
export function useJournalWindows(filter: JournalFilter): JournalWindows {
  const bridge = useBridge();
  const key = JSON.stringify(filter);
  const asker = useAsker(key);
  const source = useMemo((): RowSource<RowWindow<JournalLine>> => ({
    name: 'journal.list',
    question: { filter },
    read: async (offset, limit) => {
      const answer = await asker.ask(key, () => bridge.call('journal.list', { asker: asker.id, filter, offset, limit }));
      return answer.ok ? success({ rows: answer.value.lines, total: answer.value.total }) : answer;
    },
  }), [bridge, asker, filter, key]);
  useRefresh();
  return useRowWindows(source);
}

/** While rows come, those in sight are read again, one reading after the other. */
function useRefresh(): void {
  const client = useQueryClient();
  useEvent('journal.changed', useMemo(() => paced(refreshEveryMs, () => client.invalidateQueries({ queryKey: ['journal.list'] })), [client]));
}
