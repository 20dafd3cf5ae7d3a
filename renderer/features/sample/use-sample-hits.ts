import type { SampleHit } from '../../../shared/domain/scan.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import type { SampleAtHand } from './use-sample.ts';

/** What rules found in the sample, as last seen; undefined: not read yet, or nothing can have been found. */
export function useSampleHits({ sample: { sha256 }, workspaceId }: SampleAtHand) {
  const input = { workspaceId, sha256: sha256 ?? '' };
  const { data, error, refetch } = useOperation('samples.hits', input, { enabled: sha256 !== null });
  const hits: readonly SampleHit[] | undefined = data?.hits;
  return {
    hits,
    known: data?.known ?? null,
    isRead: hits !== undefined,
    failure: error,
    retry: { name: 'samples.hits', input } as const,
    readAgain: () => void refetch(),
  };
}
