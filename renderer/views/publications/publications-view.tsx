import { useNavigation } from '../../app/navigation.tsx';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { MutesTab } from './mutes/mutes-tab.tsx';
import { PublishTab } from './publish/publish-tab.tsx';
import { RulesTab } from './rules/rules-tab.tsx';

/** What rules there are, what an update would change, and what is muted. */
export function PublicationsView() {
  const { current } = useWorkspaces();
  const { publicationsTab } = useNavigation();
  if (current === null) return null;
  if (publicationsTab === 'rules') return <RulesTab workspaceId={current.id} />;
  if (publicationsTab === 'mutes') return <MutesTab workspaceId={current.id} />;
  return publicationsTab === 'publish' ? <PublishTab workspaceId={current.id} /> : <h1 tabIndex={-1} data-landing>Publications</h1>;
}
