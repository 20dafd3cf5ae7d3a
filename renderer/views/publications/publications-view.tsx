import { Ellipsis, FileUp, FolderUp, RefreshCw, Settings2, Tag } from 'lucide-react';
import { type Key, type KeyboardEvent, useRef } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { assertNever } from '../../../shared/assert-never.ts';
import type { LastCheck, PublicationsState } from '../../../shared/domain/publication.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { formatRecent } from '../../components/format.ts';
import { Menu, type MenuChoice } from '../../components/menu.tsx';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useSavedOptions } from '../../features/publications/options-form.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { type PublicationsTab, publicationsTabs, tabNames, useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { MutesTab } from './mutes/mutes-tab.tsx';
import styles from './publications.module.css';
import { PublishTab } from './publish/publish-tab.tsx';
import { RulesTab } from './rules/rules-tab.tsx';
import { canCheck, isOfOlderFile, packageOf, shortVersion } from './updates/update-step.ts';
import { UpdatesProvider, useUpdates } from './updates/updates-context.tsx';
import { UpdatesDialogs } from './updates/updates-dialogs.tsx';
import { UpdatesTab } from './updates/updates-tab.tsx';

/** What rules there are, what an update would change, and what is muted. */
export function PublicationsView() {
  const { current } = useWorkspaces();
  if (current === null) return null;
  return (
    <UpdatesProvider key={current.id} workspaceId={current.id}>
      <Parts workspaceId={current.id} canPublish={current.builtIn} />
      <UpdatesDialogs />
    </UpdatesProvider>
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

/** One line of state: what is being done, or how the last check came out. */
export function PublicationsLine() {
  const { state } = useUpdates();
  return <ViewLine role="status">{state !== null && lineOf(state)}</ViewLine>;
}

function lineOf(state: PublicationsState): string {
  const { check, lastCheck, rulesFrom } = state;
  if (check !== null) return text.phases[check.phase];
  if (lastCheck?.file === undefined && rulesFrom !== null && !canCheck(rulesFrom)) return text.noPublications;
  if (lastCheck === null) return rulesFrom === null ? text.noRuleEditor : text.neverChecked;
  const time = formatRecent(lastCheck.at);
  if (lastCheck.file !== undefined)
    return isOfOlderFile(state)
      ? ''
      : text.fileNotOpened[lastCheck.outcome === 'cancelled' ? 'cancelled' : 'failed'](
          shortVersion(lastCheck.file),
          time,
        );
  switch (lastCheck.outcome) {
    case 'up-to-date':
      return state.active === null ? text.noneThere(time) : currentWords(lastCheck, time);
    case 'found':
      return formatCandidate(state, time);
    case 'installed':
      return text.installed(time, shortVersion(lastCheck.version ?? ''));
    case 'unsure':
      return text.unsure(time);
    case 'failed':
      return text.failed(time);
    case 'cancelled':
      return text.cancelled(time);
    default:
      return assertNever(lastCheck.outcome);
  }
}

const currentWords = ({ of }: LastCheck, time: string): string =>
  of === 'export' ? text.noChanges(time) : text.upToDate(time);

/** What was found may have been installed or removed by now. */
function formatCandidate(state: PublicationsState, time: string): string {
  const candidate = packageOf(state, state.candidate);
  const active = packageOf(state, state.active);
  if (active !== null && active.version === state.lastCheck?.version) return currentWords(state.lastCheck, time);
  // A file that a person added gives no information about the rule editor's version.
  if (candidate === null || candidate.source === 'file') return text.checked(time);
  if (candidate.source === 'export') return text.changed(time);
  if (state.active === null) return text.waits(time);
  return candidate.warnings.includes('backwards') ? text.older(time) : text.newer(time);
}

/** English of the head of the publications. */
export const text = {
  title: 'Publications',
  tabs: tabNames,
  tabList: 'Publications',

  noRuleEditor: 'No rule editor configured',
  noPublications: 'No publications',
  neverChecked: 'Never checked',
  phases: {
    asking: 'Contacting the rule editor',
    fetching: 'Fetching the package',
    gathering: 'Reading the files',
    opening: 'Opening the package',
    compiling: 'Compiling the rules',
  },
  upToDate: (time: string) => `Up to date (checked ${time})`,
  noChanges: (time: string) => `No changes (checked ${time})`,
  changed: (time: string) => `Changes available (checked ${time})`,
  noneThere: (time: string) => `Nothing published (checked ${time})`,
  newer: (time: string) => `Update available (checked ${time})`,
  waits: (time: string) => `Update available (checked ${time})`,
  older: (time: string) => `Only an older version available (checked ${time})`,
  checked: (time: string) => `Checked ${time}`,
  installed: (time: string, version: string) => `${version} installed automatically (checked ${time})`,
  unsure: (time: string) => `Unexpected response (checked ${time})`,
  failed: (time: string) => `Check failed (${time})`,
  cancelled: (time: string) => `Check cancelled (${time})`,
  fileNotOpened: {
    failed: (name: string, time: string) => `${name} could not be opened (${time})`,
    cancelled: (name: string, time: string) => `Opening ${name} was cancelled (${time})`,
  },

  groups: 'Publication groups',
  noGroups: 'No publication groups',
  releaseOnly: 'Release only',
  includeTest: 'Include Test',
  checkNow: 'Check now',
  more: 'More publication actions',
  installFiles: 'Install from files…',
  installFolder: 'Install from a folder…',
  openFileAs: 'Install files as a version…',
  updateSettings: 'Update settings…',
} as const;

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

const choices: readonly MenuChoice[] = [
  { id: 'files', text: text.installFiles, icon: <FileUp {...icon} /> },
  { id: 'folder', text: text.installFolder, icon: <FolderUp {...icon} /> },
  { id: 'file-as', text: text.openFileAs, icon: <Tag {...icon} /> },
  { id: 'settings', text: text.updateSettings, icon: <Settings2 {...icon} /> },
];

/** Which publications count, the check, and what is needed less often. */
export function HeadActions() {
  const { state, check, pick, show } = useUpdates();
  if (state === null) return null;
  const act = (id: string): void => {
    if (id === 'files' || id === 'folder') pick(id, null);
    else show(id === 'settings' ? 'settings' : 'open-as');
  };
  // Without a package, the check has its place in the middle of the view.
  const { rulesFrom } = state;
  const hasCheck = canCheck(rulesFrom) && state.packages.length > 0;
  return (
    <>
      {rulesFrom === 'publications' && <GroupChoice />}
      {rulesFrom === 'export' && <span className={classNames(typography.note, layout.fixed)}>{text.noGroups}</span>}
      {/* Pending and not disabled: who pressed it keeps the focus. */}
      {hasCheck && (
        <Button isPending={state.check !== null} onPress={check}>
          <RefreshCw {...icon} />
          {text.checkNow}
        </Button>
      )}
      <Menu
        label={text.more}
        choices={choices}
        onChoose={act}
        trigger={
          <IconButton label={text.more}>
            <Ellipsis {...icon} />
          </IconButton>
        }
      />
    </>
  );
}

function GroupChoice() {
  const { workspaceId, state, report } = useUpdates();
  const { options, change } = useSavedOptions(workspaceId, state);
  if (options === null) return null;
  return (
    <select
      className={classNames(surface.control, styles.group)}
      aria-label={text.groups}
      value={options.includeTest ? 'test' : 'release'}
      onChange={({ target }) => change({ includeTest: target.value === 'test' }, { onFailed: report })}
    >
      <option value="release">{text.releaseOnly}</option>
      <option value="test">{text.includeTest}</option>
    </select>
  );
}
