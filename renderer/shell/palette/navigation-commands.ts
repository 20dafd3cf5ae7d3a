import { Settings } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { cutMiddle, nameInSentence } from '../../components/format.ts';
import { formatJobState, jobTitle } from '../../components/jobs/job-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useLibraryPlaces } from '../../features/library/library-place.tsx';
import { useSavedViews } from '../../features/library/saved-views.ts';
import { type HashTextOutcome, readHashText } from '../../features/lookup/hash-text.ts';
import { lookupFieldId, useLookupStore, useRecentLookups } from '../../features/lookup/lookup-store.tsx';
import { keys, viewKeys } from '../../keyboard/keys.ts';
import { pressByKey } from '../../keyboard/view-keys.ts';
import {
  buttonNow,
  type Command,
  type CommandsBySection,
  shownView,
  usePaletteContext,
  type ViewButton,
} from '../../state/commands.tsx';
import { useJobs } from '../../state/jobs.tsx';
import {
  type PublicationsTab,
  publicationsTabs,
  sidebarViews,
  settingsNames,
  settingsSections,
  tabNames,
  useNavigation,
} from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { useSwitchWorkspace, useWorkspaces } from '../../state/workspaces.tsx';
import { text as frame } from '../strings.ts';
import { text } from './strings.ts';

/** Every view, and the places inside of them that have a way of their own. */
export function useGoCommands(): Command[] {
  const { openView, openSettings, openPublications } = useNavigation();
  const { current } = useWorkspaces();
  const hasTab = (tab: PublicationsTab): boolean => tab !== 'publish' || current?.builtIn === true;
  return [
    ...sidebarViews.map(({ name, title, Icon }): Command => ({
      id: `room:${name}`,
      title,
      keywords: `${text.viewWords} ${text.viewSynonyms[name]}`,
      Icon,
      ...(viewKeys[name] && { keys: viewKeys[name].keys }),
      leadsTo: name,
      run: () => openView(name),
    })),
    {
      id: 'room:settings',
      title: frame.settings,
      Icon: Settings,
      keywords: text.settingsWords,
      keys: keys.global.settings.keys,
      leadsTo: 'settings',
      run: () => openView('settings'),
    },
    ...publicationsTabs.filter(hasTab).map((tab): Command => ({
      id: `publications:${tab}`,
      title: text.publications(tabNames[tab]),
      keywords: `${text.viewWords} ${text.tabSynonyms[tab]}`,
      leadsTo: 'publications',
      run: () => openPublications(tab),
    })),
    ...settingsSections.map((section): Command => ({
      id: `settings:${section}`,
      title: text.settings(settingsNames[section]),
      keywords: `${text.settingsWords} ${text.settingsSynonyms[section]}`,
      leadsTo: 'settings',
      run: () => openSettings(section),
    })),
  ];
}

const longestName = 48;
const themes = ['light', 'dark', 'system'] as const;

/** The ways into other workspaces, to jobs, and to another theme. */
export function useHostCommands(): CommandsBySection {
  return { workspaces: useWorkspaceCommands(), jobs: useJobCommands(), appearance: useThemeCommands() };
}

function useWorkspaceCommands(): Command[] {
  const { workspaces, current } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  return workspaces
    .filter(({ id }) => id !== current?.id)
    .map(({ id, name }) => ({
      id: `workspace:${id}`,
      title: text.switchTo(visibleText(cutMiddle(name, longestName))),
      keywords: text.workspaceWords,
      run: () => void switchTo(id),
    }));
}

function useJobCommands(): Command[] {
  const { openJob } = useNavigation();
  return useJobs().map((job) => ({
    id: `job:${job.id}`,
    title: text.job(job.id, jobTitle(job)),
    detail: formatJobState(job),
    keywords: text.jobWords,
    leadsTo: 'activity',
    run: () => openJob(job.id),
  }));
}

function useThemeCommands(): Command[] {
  const { values, change } = useSettings();
  return themes.map((theme) => ({
    id: `theme:${theme}`,
    title: text.themes[theme],
    keywords: text.themeWords,
    ...(values.theme === theme ? { detail: text.current } : {}),
    run: () => change({ theme }),
  }));
}

const longestQueryShown = 40;

/** The saved views of the library, with what each asks for. */
export function useViewCommands(): Command[] {
  const { views } = useSavedViews();
  const places = useLibraryPlaces();
  const { openLibrary } = useNavigation();
  return views.map((view) => ({
    id: `view:${view.id}`,
    title: visibleText(view.name),
    keywords: view.query,
    detail: visibleText(cutMiddle(view.query, longestQueryShown)),
    leadsTo: 'library',
    run: () => {
      places.showView(view);
      openLibrary();
    },
  }));
}

const longestShown = 60;
const shownOf = (typed: string): string => visibleText(cutMiddle(typed, longestShown));

/** Looks up what was typed or pasted, from any view. The answer and its field are the look-up's. */
export function useLookUp(): (asked: string) => void {
  const { lookUpText } = useLookupStore();
  const { openView } = useNavigation();
  return (asked) => {
    openView('lookup');
    lookUpText(asked);
    // In another view it is not there yet, and takes the focus when it is.
    document.getElementById(lookupFieldId)?.focus();
  };
}

/** The samples that were looked up of late in this workspace, once something is typed that they are found by. */
export function useLookupCommands(typed: string): Command[] {
  const { current } = useWorkspaces();
  const recents = useRecentLookups(current?.id ?? null);
  const lookUp = useLookUp();
  if (typed === '') return [];
  return recents.map(({ md5, name }) => ({
    id: `recent-lookup:${md5}`,
    title: name === null || name === '' ? md5 : nameInSentence(name, longestName),
    isOfText: true,
    keywords: `${text.lookUpAgain} ${md5}`,
    code: md5.slice(0, 12),
    leadsTo: 'lookup',
    run: () => lookUp(md5),
  }));
}

/** What the text itself can be used for. */
export function useTypedCommands(typed: string): CommandsBySection {
  const lookUp = useLookUp();
  const { openLibrary } = useNavigation();
  if (typed === '') return {};
  const title = lookUpTitle(readHashText(typed), typed);
  const search: Command = {
    id: 'typed:search',
    title: text.findInLibrary(shownOf(typed)),
    isOfText: true,
    leadsTo: 'library',
    run: () => openLibrary(typed),
  };
  return {
    lookUp:
      title === null
        ? []
        : [
            {
              id: 'typed:look-up',
              title,
              isOfText: true,
              keys: text.enter,
              leadsTo: 'lookup',
              run: () => lookUp(typed),
            },
          ],
    search: [search],
  };
}

const kinds = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' } as const;

/**
 * null: there is nothing to look up in it. A hash that is too short or too long is looked up, for there it is said what
 * is wrong with it.
 */
function lookUpTitle(verdict: HashTextOutcome, typed: string): string | null {
  switch (verdict.kind) {
    case 'empty':
      return null;
    case 'none':
      return verdict.rejected.length === 0 ? null : text.lookUpTyped(shownOf(typed));
    case 'one':
      return text.lookUpOne(kinds[verdict.hash.kind], verdict.hash.value);
    case 'several':
      return text.lookUpMany(verdict.found.length);
    default:
      return assertNever(verdict);
  }
}

/** Whether a pasted text is looked up without another key. */
export const isForLookUp = (pasted: string): boolean => lookUpTitle(readHashText(pasted), pasted) !== null;

/**
 * The actions of the shown view, as its buttons were when the palette opened or the text changed: choosing one presses
 * the button.
 */
export function useViewActions(): Command[] {
  const { store } = usePaletteContext();
  const buttons = useSyncExternalStore(store.subscribe, store.buttons);
  const { currentView } = useNavigation();
  const { values } = useSettings();
  const toast = useToast();
  const press = (button: ViewButton): void => {
    const now = buttonNow(shownView(), button);
    if (now === null) toast({ meaning: 'info', text: text.gone(visibleText(button.name)) });
    else pressByKey(now);
  };
  return buttons.map((button) => ({
    id: `button:${currentView}:${button.name}`,
    title: visibleText(button.name),
    ...(button.keywords === null ? {} : { keywords: button.keywords }),
    ...(button.keys !== null && (button.letter === null || values.singleLetterKeys) ? { keys: button.keys } : {}),
    run: () => press(button),
  }));
}
