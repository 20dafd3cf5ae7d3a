import type { JournalFilter } from '../../../shared/domain/journal.ts';
import { SaveListMenu } from '../../app/export/save-list-menu.tsx';
import { useAction } from '../../bridge/use-action.ts';
import { text } from './text.ts';

const formats = ['csv', 'jsonl'] as const;

/** The rows that are listed as a file. */
export function ExportJournal({ filter, isEmpty }: { filter: JournalFilter; isEmpty: boolean }) {
  const saving = useAction('journal.export');
  return <SaveListMenu words={text.export} letter="E" formats={formats} saving={saving} inputOf={(how) => ({ filter, ...how })} isEmpty={isEmpty} />;
}
