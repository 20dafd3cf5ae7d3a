import { useCallback, useEffect, useEffectEvent } from 'react';
import { assertNever } from '../../shared/assert-never.ts';
import type { ShellCommand } from '../../shared/domain/host.ts';
import { useEvent } from '../bridge/operations.ts';
import { letterKeyOf, shortcutKeyOf } from '../components/shortcut-key.ts';
import { undoLatest } from '../components/toasts.tsx';
import { useDiagnostics } from '../features/diagnostics/diagnostics.tsx';
import { hasOpenDialog, watchKeys } from '../keyboard/focus.ts';
import { globalShortcut, keys } from '../keyboard/keys.ts';
import { isTyping } from '../keyboard/view-keys.ts';
import { sidebarViews, useNavigation, type ViewName } from '../state/navigation.tsx';
import { useSettings } from '../state/settings.ts';
import { useSwitchWorkspace, useWorkspaces } from '../state/workspaces.tsx';

interface GlobalActions {
  toggleSidebar(): void;
  showKeys(): void;
  openPalette(): void;
}

/** The keys that work everywhere. Ctrl, or Command on a Mac. */
export function useGlobalKeys({ toggleSidebar, showKeys, openPalette }: GlobalActions): void {
  const goTo = useGoToView();
  const { values } = useSettings();
  const onKey = useEffectEvent((event: KeyboardEvent): boolean => {
    if (event.defaultPrevented || hasOpenDialog()) return false;
    if (event.key === keys.global.nextPane.keys) return focusNextPane(event.shiftKey ? -1 : 1);
    if (letterKeyOf(event) === keys.global.help.keys && values.singleLetterKeys && !isTyping(event))
      return done(showKeys);
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
    const shortcut = globalShortcut(shortcutKeyOf(event));
    if (shortcut === 'palette') return done(openPalette);
    if (shortcut === 'sidebar') return done(toggleSidebar);
    if (shortcut === 'undo') return !isTyping(event) && (event.repeat || undoLatest());
    if (shortcut === 'settings') return done(() => goTo('settings'));
    const view = sidebarViews.find(({ name }) => name === shortcut);
    return view !== undefined && done(() => goTo(view.name));
  });
  useEffect(watchKeys, []);
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (onKey(event)) event.preventDefault();
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function done(action: () => void): true {
  action();
  return true;
}

/** Leads to a view from elsewhere than a button of the page: a key, or a menu of the desktop. */
function useGoToView(): (view: ViewName) => void {
  const { currentView: shown, openView } = useNavigation();
  return useCallback(
    (view) => {
      // The blur lets the view take the focus: else the next key would still be for the button of the view before.
      if (view !== shown && document.activeElement instanceof HTMLElement) document.activeElement.blur();
      openView(view);
    },
    [shown, openView],
  );
}

/**
 * Carries out what was chosen in a menu or a notification of the desktop. As with keys, a dialog that is open comes
 * first.
 */
export function useShellCommands({ toggleSidebar, showKeys, openPalette }: GlobalActions): void {
  const { openSettings, openPublications, openJob } = useNavigation();
  const { current } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  const goTo = useGoToView();
  const diagnostics = useDiagnostics();
  const goInto = (workspaceId: string): void => {
    if (current !== null && current.id !== workspaceId) void switchTo(workspaceId);
  };
  const carryOut = (command: ShellCommand): void => {
    switch (command.kind) {
      case 'open-view':
        return goTo(command.view);
      case 'open-about':
        return openSettings('about');
      case 'open-storage':
        return openSettings('storage');
      case 'open-job':
        return openJob(command.id);
      case 'open-comments':
        goInto(command.workspaceId);
        return goTo('comments');
      case 'open-updates':
        goInto(command.workspaceId);
        return openPublications('updates');
      case 'open-palette':
        return openPalette();
      case 'show-keys':
        return showKeys();
      case 'fold-sidebar':
        return toggleSidebar();
      case 'save-diagnostics':
        openSettings('about');
        return diagnostics.save();
      default:
        return assertNever(command);
    }
  };
  useEvent('shell.command', (command) => {
    if (!hasOpenDialog()) carryOut(command);
  });
}

const focusable =
  'a[href], button:not(:disabled, [tabindex="-1"]), input:not(:disabled), select, textarea, [tabindex="0"]';

/** Moves the focus to the first thing in the next pane (`data-pane`), round and round. */
export function focusNextPane(step: 1 | -1): boolean {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (pane) => pane.getClientRects().length > 0,
  );
  const here = panes.findLast((pane) => pane.contains(document.activeElement));
  const order = step > 0 ? panes : panes.toReversed();
  const at = here === undefined ? -1 : order.indexOf(here);
  const next = [...order.slice(at + 1), ...order.slice(0, at + 1)].find(isPlace);
  if (next) focusInto(next);
  return next !== undefined;
}

/** A pane around others is none where it begins with one of them: back from that one, it would lead to it again. */
function isPlace(pane: HTMLElement): boolean {
  const first = firstIn(pane);
  return first === undefined ? pane.querySelector('[data-pane]') === null : first.closest('[data-pane]') === pane;
}

function focusInto(pane: HTMLElement): void {
  const first = firstIn(pane);
  if (first) return first.focus();
  pane.tabIndex = -1;
  pane.focus();
}

const firstIn = (pane: HTMLElement): HTMLElement | undefined =>
  [...pane.querySelectorAll<HTMLElement>(focusable)].find((element) => element.getClientRects().length > 0);
