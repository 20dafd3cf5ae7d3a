import { useQueryClient } from '@tanstack/react-query';
import { memo, type RefObject, Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useOperation } from '../bridge/operations.ts';
import { refreshLocalState } from '../bridge/query-client.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { FailureNotice } from '../components/failure-notice.tsx';
import { KeyTable } from '../components/key-cap.tsx';
import { Notice } from '../components/notice.tsx';
import { useBundleStore } from '../features/bundle/bundle-store.tsx';
import { text as bundleText } from '../features/bundle/strings.ts';
import { focusDrawn, focusLanding, isBehindOverlay } from '../keyboard/focus.ts';
import { keys, keyTablesOf } from '../keyboard/keys.ts';
import { type Command, PaletteProvider, useCommands, usePaletteContext } from '../state/commands.tsx';
import { lazyDialog } from '../state/lazy-dialog.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useSettings } from '../state/settings.ts';
import { useWorkspaces } from '../state/workspaces.tsx';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { DraftProvider } from '../views/upload/draft-context.tsx';
import { CommandBar } from './command-bar.tsx';
import { DropOverlay } from './drop-overlay.tsx';
import { PageHistory } from './page-history.ts';
import { text as paletteText } from './palette/strings.ts';
import { RowMenu } from './row-menu.tsx';
import styles from './shell.module.css';
import { useGlobalKeys, useShellCommands } from './shortcuts.ts';
import { Sidebar, useSidebarFold } from './sidebar.tsx';
import { useWelcome } from './start-up.ts';
import { StatusBar } from './status-bar.tsx';
import { text } from './strings.ts';
import { ErrorBoundary, forgetView, ShownView } from './view-loader.tsx';

const OpenBundleDialog = lazyDialog(() =>
  import('../features/bundle/open-bundle-dialog.tsx').then((module) => module.OpenBundleDialog),
);

const UnlockDialog = lazyDialog(() =>
  import('../views/settings/tokens-section.tsx').then((module) => module.UnlockDialog),
);

/** The way into a bundle from everywhere. */
function BundleDialogs() {
  const { isShown, show, hide } = useBundleStore();
  useCommands(
    useMemo(
      () => ({
        more: [{ id: 'bundle:open', title: bundleText.openCommand, keywords: bundleText.openWords, run: show }],
      }),
      [show],
    ),
  );
  return isShown && <OpenBundleDialog onClose={hide} />;
}

/** As many lines as fit in one column at 800 CSS pixels. */
const mostInColumn = 20;

function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { values } = useSettings();
  const tables = keyTablesOf(useNavigation());
  const isLong = tables.reduce((sum, { rows }) => sum + rows.length, 0) > mostInColumn;
  return (
    <Dialog
      title={text.keysTitle}
      isOpen={isOpen}
      onClose={onClose}
      wide={isLong}
      actions={
        <Button onPress={onClose} takesFocus>
          {text.close}
        </Button>
      }
    >
      <div className={classNames(isLong && styles.columns)}>
        {tables.map(({ title, rows }) => (
          <KeyTable key={title} title={title} rows={rows} />
        ))}
      </div>
      {!values.singleLetterKeys && <p className={typography.muted}>{text.keysOff}</p>}
    </Dialog>
  );
}

export function Shell() {
  return (
    <PaletteProvider>
      <Frame />
    </PaletteProvider>
  );
}

/**
 * What the frame asks for its keys changes with nearly everything: its parts are drawn again only for what they ask
 * themselves.
 */
const parts = {
  CommandBar: memo(CommandBar),
  Sidebar: memo(Sidebar),
  HostFailure: memo(HostFailure),
  DamagedSettings: memo(DamagedSettings),
  LockedTokens: memo(LockedTokens),
  ShownView: memo(ShownView),
  StatusBar: memo(StatusBar),
  DropOverlay: memo(DropOverlay),
  BundleDialogs: memo(BundleDialogs),
  KeysDialog: memo(KeysDialog),
  RowMenu: memo(RowMenu),
  PageHistory: memo(PageHistory),
};

/**
 * The frame: command bar above, sidebar at the side, a view, status bar below. The views scroll, the page never does.
 */
function Frame() {
  const { currentView } = useNavigation();
  const { isFolded, canToggle, toggle } = useSidebarFold();
  const [showsKeys, setShowsKeys] = useState(false);
  const main = useRef<HTMLElement>(null);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  const hideKeys = useCallback(() => setShowsKeys(false), []);
  const { store } = usePaletteContext();
  const isDecided = useWelcome();
  const actions = { toggleSidebar: toggle, showKeys, openPalette: store.open };
  useGlobalKeys(actions);
  useShellCommands(actions);
  const {
    values: { singleLetterKeys, times },
  } = useSettings();
  useCommands(
    useMemo(
      () => ({ more: frameCommands(canToggle ? toggle : null, showKeys, singleLetterKeys) }),
      [canToggle, toggle, showKeys, singleLetterKeys],
    ),
  );
  return (
    <DraftProvider>
      <div className={classNames(styles.shell, isFolded && styles.folded)}>
        <parts.CommandBar />
        <parts.Sidebar isFolded={isFolded} onFold={toggle} />
        <main ref={main} tabIndex={-1} className={classNames(layout.pane, styles.main)} data-pane>
          <parts.HostFailure />
          <parts.DamagedSettings />
          <parts.LockedTokens />
          {/* Outside of the keyed boundary: the view before stays until the next one is loaded, without a fallback. */}
          <Suspense>
            <ErrorBoundary key={currentView} onOpenAgain={() => forgetView(currentView)}>
              {isDecided && <parts.ShownView name={currentView} />}
              {isDecided && <ViewFocus main={main} />}
            </ErrorBoundary>
          </Suspense>
        </main>
        {/* Its times are drawn again. */}
        <parts.StatusBar key={times} />
        <parts.DropOverlay />
        <parts.BundleDialogs />
        <parts.RowMenu />
        <parts.PageHistory />
        <parts.KeysDialog isOpen={showsKeys} onClose={hideKeys} />
      </div>
    </DraftProvider>
  );
}

const frameCommands = (toggleSidebar: (() => void) | null, showKeys: () => void, hasLetters: boolean): Command[] => [
  ...(toggleSidebar === null
    ? []
    : [{ id: 'frame:rail', title: paletteText.collapseSidebar, keys: keys.global.sidebar.keys, run: toggleSidebar }]),
  {
    id: 'frame:keys',
    title: paletteText.showKeys,
    keywords: paletteText.keysWords,
    ...(hasLetters ? { keys: keys.global.help.keys } : {}),
    run: showKeys,
  },
];

/**
 * A key leads to a view: what had the focus in the one before is gone, and the new one has it as soon as it is there,
 * before the next key.
 */
function ViewFocus({ main }: { main: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => {
    if (main.current === null || document.activeElement !== document.body || isBehindOverlay(main.current)) return;
    if (!focusLanding(main.current)) focusDrawn(main.current);
  }, [main]);
  return null;
}

/**
 * Without a host nothing on the page can be true, and without workspaces the views are empty, so this is shown above
 * everything else.
 */
function HostFailure() {
  const client = useQueryClient();
  const { error } = useOperation('host.describe', {});
  const { failure: noWorkspaces } = useWorkspaces();
  const failure = error ?? noWorkspaces;
  if (failure === null) return null;
  return (
    <div className={styles.above}>
      <FailureNotice failure={failure} onAgain={() => void refreshLocalState(client)} />
    </div>
  );
}

/** A setting that could not be read is back at its default: that is said, by name, until it is dismissed. */
function DamagedSettings() {
  const { damaged } = useSettings();
  const { openView } = useNavigation();
  const [dismissed, setDismissed] = useState(false);
  if (damaged.length === 0 || dismissed) return null;
  const names = damaged.map((name) => text.settingNames[name]).join(', ');
  return (
    <div className={styles.above}>
      <Notice
        meaning="warn"
        title={text.damaged(names)}
        isAlert
        actions={
          <>
            <Button size="small" onPress={() => openView('settings')}>
              {text.openSettings}
            </Button>
            <Button size="small" look="quiet" onPress={() => setDismissed(true)}>
              {text.dismiss}
            </Button>
          </>
        }
      >
        {text.damagedThen}
      </Notice>
    </div>
  );
}

/** The sealed file is locked at each start. The settings and the welcome show it in their own place. */
function LockedTokens() {
  const { data: host } = useOperation('host.describe', {});
  const { currentView } = useNavigation();
  const [dismissed, setDismissed] = useState(false);
  const [unlocks, setUnlocks] = useState(false);
  const hide = useCallback(() => setUnlocks(false), []);
  const isShown = host?.secrets.state === 'locked' && !dismissed && !['settings', 'welcome'].includes(currentView);
  return (
    <>
      {isShown && (
        <div className={styles.above}>
          <Notice
            meaning="warn"
            title={text.lockedTokens}
            actions={
              <>
                <Button size="small" onPress={() => setUnlocks(true)}>
                  {text.unlock}
                </Button>
                <Button size="small" look="quiet" onPress={() => setDismissed(true)}>
                  {text.dismiss}
                </Button>
              </>
            }
          >
            {text.lockedTokensThen}
          </Notice>
        </div>
      )}
      {unlocks && <UnlockDialog onClose={hide} />}
    </>
  );
}
