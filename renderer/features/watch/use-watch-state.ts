import type { UseQueryResult } from '@tanstack/react-query';
import type { WatchState } from '../../../shared/domain/watch.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useOperation } from '../../bridge/use-operation.ts';

/** The watched folder as it stands. */
export const useWatchState = (): UseQueryResult<WatchState, Failure> => useOperation('watch.state', {});
