import type { ItemFilter, Job } from '../../../shared/domain/job.ts';
import { useAction } from '../../bridge/use-action.ts';
import { SaveListMenu } from '../export/save-list-menu.tsx';
import { text } from './text.ts';

const formats = ['csv', 'json'] as const;

/** The list of items as a file. */
export function SaveList({ job, filter }: { job: Job; filter: ItemFilter }) {
  const saving = useAction('jobs.exportItems');
  return <SaveListMenu words={text.saveList} look="quiet" formats={formats} saving={saving} inputOf={(how) => ({ id: job.id, filter, ...how })} />;
}
