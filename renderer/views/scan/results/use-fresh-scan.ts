import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OperationName, OperationOutput } from '../../../../shared/contract.ts';
import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import { useEvent } from '../../../bridge/operations.ts';
import { paced } from '../../../state/pacing.ts';
import { sidesAsked } from './use-shown-file.ts';

const refreshEveryMs = 500;
const listed: readonly OperationName[] = ['scans.summary', 'scans.groups'];

/** Reads the results of a job again when the host tells that they are not as they were, one reading after the other. */
export function useFreshScan(job: Job): void {
  const { id, workspaceId } = job;
  const client = useQueryClient();
  // A file that every side has scanned does not change by itself, and may hold thousands of matches.
  const wanted = sidesAsked(job);
  const { streamed, all, files } = useMemo(() => {
    const isPending = (data: OperationOutput<'scans.file'> | undefined): boolean =>
      data === undefined || data.results.filter(({ state }) => state === 'scanned').length < wanted;
    const readLists = (): Promise<unknown>[] => [
      ...listed.map((name) => client.invalidateQueries({ queryKey: [name, { jobId: id }] })),
      client.invalidateQueries({ queryKey: ['jobs.items', { id }] }),
    ];
    const readFiles = (isEvery: boolean): Promise<unknown> =>
      client.invalidateQueries({
        queryKey: ['scans.file', { jobId: id }],
        predicate: ({ queryKey }) => isEvery || isPending(client.getQueryData(queryKey)),
      });
    const reading = (isEvery: boolean) =>
      paced(refreshEveryMs, async () => void (await Promise.all([...readLists(), readFiles(isEvery)])));
    return {
      streamed: reading(false),
      all: reading(true),
      files: paced(refreshEveryMs, async () => void (await readFiles(true))),
    };
  }, [client, id, wanted]);
  useEvent('scans.changed', (changed) => changed.workspaceId === workspaceId && streamed());
  useEvent('mutes.changed', (changed) => changed.workspaceId === workspaceId && all());
  // Tags are of the library.
  useEvent('library.changed', files);
  useEvent('job.changed', (changed) => changed.id === id && isFinalJob(changed) && all());
}
