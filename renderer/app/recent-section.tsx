import { visibleText } from '../../shared/domain/visible-text.ts';
import { SampleName } from '../components/service-text.tsx';
import type { RecentLookup } from '../memory/recent-lookups.ts';
import { useLookupDesk } from './lookup-desk.tsx';
import { useNavigation } from './navigation.tsx';
import { RailLine } from './rail-line.tsx';
import { RailSection } from './rail-section.tsx';
import { useRecentLookups } from './recents.ts';
import { text } from './text.ts';
import { useWorkspaces } from './use-workspaces.ts';

const longestName = 22;

/** What was looked up of late in this workspace; one press asks again. */
export function RecentSection() {
  const { current } = useWorkspaces();
  const recents = useRecentLookups(current?.id ?? null);
  if (recents.length === 0) return null;
  return (
    <RailSection title={text.recent}>
      {recents.map((recent) => (
        <li key={recent.key}>
          <RecentButton recent={recent} />
        </li>
      ))}
    </RailSection>
  );
}

function RecentButton({ recent: { md5, name } }: { recent: RecentLookup }) {
  const { ask } = useLookupDesk();
  const { openRoom } = useNavigation();
  const shown = name === null || name === '' ? md5.slice(0, 12) : visibleText(name);
  return (
    <RailLine
      size="small"
      label={text.recentOpen(shown)}
      title={name === null || name === '' ? <code>{shown}</code> : <SampleName name={name} longest={longestName} />}
      onPress={() => {
        openRoom('lookup');
        ask(md5);
      }}
    />
  );
}
