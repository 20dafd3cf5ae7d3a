import type { ItemFilter, Job } from '../../../shared/domain/job.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { SaveListMenu } from '../export/save-list-menu.tsx';
import { text } from './text.ts';

const formats = ['csv', 'json'] as const;

/** The list of items as a file. */
export function SaveList({ job, filter }: { job: Job; filter: ItemFilter }) {
  const bridge = useBridge();
  return (
    <SaveListMenu
      words={text.saveList}
      look="quiet"
      formats={formats}
      save={(how) => bridge.call('jobs.exportItems', { id: job.id, filter, ...how })}
    />
  );
}
