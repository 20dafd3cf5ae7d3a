import { visibleText } from '../../shared/domain/visible-text.ts';
import { cutMiddle } from '../components/format.ts';
import { text } from './text.ts';
import { useWorkspaces } from './use-workspaces.ts';

const longestName = 32;

/** The workspace of a job; an export is this desk's own. */
export function WorkspaceName({ id }: { id: string | null }) {
  const { workspaces } = useWorkspaces();
  if (id === null) return text.noWorkspace;
  const workspace = workspaces.find((each) => each.id === id);
  return (
    <bdi>{workspace === undefined ? text.removedWorkspace : visibleText(cutMiddle(workspace.name, longestName))}</bdi>
  );
}
