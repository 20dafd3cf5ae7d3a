import { type Key, type KeyboardEvent, useRef } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { assertNever } from '../../../shared/assert-never.ts';
import { type PublicationsTab, publicationsTabs, useNavigation } from '../../app/navigation.tsx';
import { useKeptFocus } from '../../app/use-kept-focus.ts';
import { useLetterButtons } from '../../app/use-letter-buttons.ts';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { ViewHead } from '../../components/view-head.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { HeadActions } from './head-actions.tsx';
import { MutesTab } from './mutes/mutes-tab.tsx';
import { PublicationsLine } from './publications-line.tsx';
import styles from './publications.module.css';
import { PublishTab } from './publish/publish-tab.tsx';
import { RulesTab } from './rules/rules-tab.tsx';
import { text } from './text.ts';
import { UpdatesDeskProvider } from './updates/updates-desk.tsx';
import { UpdatesDialogs } from './updates/updates-dialogs.tsx';
import { UpdatesTab } from './updates/updates-tab.tsx';

/** What rules there are, what an update would change, and what is muted. */
export function PublicationsView() {
  const { current } = useWorkspaces();
  if (current === null) return null;
  return (
    <UpdatesDeskProvider key={current.id} workspaceId={current.id}>
      <Parts workspaceId={current.id} canPublish={current.builtIn} />
      <UpdatesDialogs />
    </UpdatesDeskProvider>
  );
}

function Parts({ workspaceId, canPublish }: { workspaceId: string; canPublish: boolean }) {
  const view = useRef<HTMLDivElement>(null);
  const { publicationsTab, openPublications } = useNavigation();
  const onLetter = useLetterButtons(view);
  useKeptFocus(view);
  const tabs = publicationsTabs.filter((tab) => tab !== 'publish' || canPublish);
  const shown = tabs.includes(publicationsTab) ? publicationsTab : 'updates';
  const open = (key: Key): void => {
    const tab = tabs.find((each) => each === key);
    if (tab !== undefined) openPublications(tab);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' && event.target instanceof HTMLHeadingElement) focusFirstRow(view.current);
    else onLetter(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={classNames(layout.view, styles.view)} onKeyDown={onKeyDown}>
      <Tabs selectedKey={shown} onSelectionChange={open} className={classNames(layout.view, styles.view)}>
        <ViewHead title={text.title} isLanding wrapsBelow={800}>
          <TabList aria-label={text.tabList} className={classNames(layout.flex4, styles.tabs)}>
            {tabs.map((tab) => (
              <Tab key={tab} id={tab} className={classNames(surface.control, styles.tab)}>
                {text.tabs[tab]}
              </Tab>
            ))}
          </TabList>
          <PublicationsLine />
          {shown === 'updates' && <HeadActions />}
        </ViewHead>
        {/* The library keeps the name of a panel that stays, and each tab names its own. */}
        <TabPanel key={shown} id={shown} className={classNames(layout.view, styles.panel)}>
          <TabOf tab={shown} workspaceId={workspaceId} />
        </TabPanel>
      </Tabs>
    </div>
  );
}

function TabOf({ tab, workspaceId }: { tab: PublicationsTab; workspaceId: string }) {
  switch (tab) {
    case 'updates':
      return <UpdatesTab />;
    case 'rules':
      return <RulesTab workspaceId={workspaceId} />;
    case 'mutes':
      return <MutesTab workspaceId={workspaceId} />;
    case 'publish':
      return <PublishTab workspaceId={workspaceId} />;
    default:
      return assertNever(tab);
  }
}

const focusFirstRow = (view: HTMLElement | null): void =>
  view?.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus();
