import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { WatchState } from '../../../shared/domain/watch.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useOperation } from '../../bridge/use-operation.ts';

/** The watched folder as it stands. */
export const useWatchState = (): UseQueryResult<WatchState, Failure> => useOperation('watch.state', {});

/** Takes in what an operation answered, before the host tells of it. */
export function useKeepWatchState(): (state: WatchState) => void {
  const client = useQueryClient();
  return useCallback((state) => void client.setQueryData(['watch.state', {}], state), [client]);
}
