import type { WorkspaceView } from '../../shared/domain/workspace.ts';
import type { Failure } from '../../shared/failure.ts';
import { useOperation } from '../bridge/use-operation.ts';

/** The workspaces and the current one; null until the host has told. */
export function useWorkspaces(): {
  workspaces: readonly WorkspaceView[];
  current: WorkspaceView | null;
  damaged: readonly string[];
  failure: Failure | null;
} {
  const { data, error } = useOperation('workspaces.list', {});
  const current = data?.workspaces.find(({ id }) => id === data.current) ?? null;
  return { workspaces: data?.workspaces ?? [], current, damaged: data?.damaged ?? [], failure: error };
}
