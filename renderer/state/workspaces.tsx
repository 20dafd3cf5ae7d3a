import { visibleText } from '../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../shared/domain/workspace.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { useOperation } from '../bridge/operations.ts';
import { describeFailure } from '../components/failure-format.ts';
import { cutMiddle } from '../components/format.ts';
import { useToast } from '../components/toasts.tsx';
import { text } from './strings.ts';

/** The workspaces and the current one; null until the host answers. */
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

/**
 * Switches to another workspace, and reports it, even if the caller is gone by then, as the palette is. Returns whether
 * it did.
 */
export function useSwitchWorkspace(): (id: string) => Promise<boolean> {
  const { workspaces } = useWorkspaces();
  const bridge = useBridge();
  const toast = useToast();
  return async (id) => {
    const chosen = workspaces.find((workspace) => workspace.id === id);
    const answer = await bridge.call('workspaces.switch', { id });
    if (answer.ok) toast({ meaning: 'ok', text: text.switched(visibleText(chosen?.name ?? id)) });
    else toast({ meaning: 'bad', text: describeFailure(answer.failure).what, failure: answer.failure });
    return answer.ok;
  };
}

const longestName = 32;

/** The name of a workspace as it is shown in a sentence. */
export function useWorkspaceNames(): (workspaceId: string) => string {
  const { workspaces } = useWorkspaces();
  return (workspaceId) => {
    const known = workspaces.find(({ id }) => id === workspaceId);
    return known === undefined ? text.removedWorkspace : visibleText(cutMiddle(known.name, longestName));
  };
}

const longestShortName = 14;

/** Where there is little space, without what is in brackets: "Lab" of "Lab (this computer)". */
export const shortWorkspaceName = (name: string): string =>
  cutMiddle(name.replace(/(?<=\S)\s*\([^()]*\)$/, ''), longestShortName);

/** The workspace of a job; an export has none. */
export function WorkspaceName({ id }: { id: string | null }) {
  const { workspaces } = useWorkspaces();
  if (id === null) return text.noWorkspace;
  const workspace = workspaces.find((each) => each.id === id);
  return (
    <bdi>{workspace === undefined ? text.removedWorkspace : visibleText(cutMiddle(workspace.name, longestName))}</bdi>
  );
}
