import type { Mute } from '../../../../shared/domain/mute.ts';
import { useOperation } from '../../../bridge/operations.ts';

const none: readonly Mute[] = [];

/** The mutes of a workspace, newest first; none until they are known. */
export function useMutes(workspaceId: string): readonly Mute[] {
  return useOperation('mutes.list', { workspaceId }).data?.mutes ?? none;
}
