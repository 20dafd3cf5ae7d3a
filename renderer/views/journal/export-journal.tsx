import type { JournalFilter } from '../../../shared/domain/journal.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { SaveListMenu } from '../../features/export/save-list-menu.tsx';
import { text } from './text.ts';

const formats = ['csv', 'jsonl'] as const;

/** The rows that are listed as a file. */
export function ExportJournal({ filter, isEmpty }: { filter: JournalFilter; isEmpty: boolean }) {
  const bridge = useBridge();
  return (
    <SaveListMenu
      words={text.export}
      letter="E"
      formats={formats}
      save={(how) => bridge.call('journal.export', { filter, ...how })}
      isEmpty={isEmpty}
    />
  );
}
