import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useEffect } from 'react';
import type { PackageView, PublicationsState, RuleRow } from '../../../shared/domain/publication.ts';
import { LibraryPlaceProvider } from '../../features/library/library-place.tsx';
import { useFreshPublications } from '../../features/publications/publication-news.ts';
import { PublicationsPlaceProvider } from '../../features/publications/publications-place.tsx';
import { type PublicationsTab, useNavigation } from '../../state/navigation.tsx';
import { type GivenAnswers, MemoryBridge } from '../../test/memory-bridge.ts';
import { noPackages } from '../../test/quiet-host.ts';
import { TestProviders } from '../../test/test-providers.fixture.tsx';
import { MutesTab } from './mutes/mutes-tab.tsx';
import { PublishTab } from './publish/publish-tab.tsx';
import { RulesTab } from './rules/rules-tab.tsx';

export const activeId = 'a'.repeat(64);

export function packageOf(change: Partial<PackageView> = {}): PackageView {
  return {
    sha256: activeId,
    version: '2026.11.10',
    group: 'Release',
    published: null,
    source: 'service',
    sizeBytes: 3_250_586,
    received: '2026-11-10T14:30:00.000Z',
    contents: { files: 5, rules: 409, broken: 1 },
    failure: null,
    warnings: [],
    activated: '2026-11-10T14:31:00.000Z',
    activeMs: 1000,
    ...change,
  };
}

export function stateOf(change: Partial<PublicationsState> = {}): PublicationsState {
  return { ...noPackages, packages: [packageOf()], active: activeId, ...change };
}

export function ruleRowOf(number: number, change: Partial<RuleRow> = {}): RuleRow {
  return {
    number,
    name: `rule_${number}`,
    key: change.name ?? `rule_${number}`,
    file: 'mail/tinlark.yar',
    line: number * 10 + 1,
    tags: [],
    isPrivate: false,
    isGlobal: false,
    description: null,
    broken: null,
    isMuted: false,
    ...change,
  };
}

/** One tab of the publications over a host in memory; where it leads to another tab, that one is shown. */
/** `around`: drawn beside it. */
export function openTab(tab: PublicationsTab, answers: GivenAnswers = {}, around: ReactNode = null) {
  const bridge = new MemoryBridge({ 'publications.state': ({ workspaceId }) => stateOf({ workspaceId }), ...answers });
  const user = userEvent.setup();
  const { unmount } = render(
    <TestProviders bridge={bridge} features={[PublicationsPlaceProvider, LibraryPlaceProvider]}>
      {around}
      <Tabs first={tab} />
    </TestProviders>,
  );
  return { bridge, user, unmount };
}

function Tabs({ first }: { first: PublicationsTab }) {
  const { currentView, publicationsTab, openPublications } = useNavigation();
  useFreshPublications();
  useEffect(() => openPublications(first), [openPublications, first]);
  if (currentView !== 'publications') return null;
  switch (publicationsTab) {
    case 'rules':
      return <RulesTab workspaceId="lab" />;
    case 'mutes':
      return <MutesTab workspaceId="lab" />;
    case 'publish':
      return <PublishTab workspaceId="lab" />;
    default:
      return <p>the updates</p>;
  }
}
