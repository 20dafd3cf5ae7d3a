import { useQueryClient } from '@tanstack/react-query';
import { memo, type RefObject, Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { refreshLocalState } from '../bridge/query-client.ts';
import { useOperation } from '../bridge/use-operation.ts';
import { FailureNotice } from '../components/failure-notice.tsx';
import { classNames } from '../styles/class-names.ts';
import { DraftDeskProvider } from '../views/upload/draft-context.tsx';
import { BundleDialogs } from './bundle/bundle-dialogs.tsx';
import { CommandBar } from './command-bar.tsx';
import { DamagedSettings } from './damaged-settings.tsx';
import { focusDrawn } from './drawn-focus.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { useNavigation } from './navigation.tsx';
import { isBehindOverlay } from './open-overlay.ts';
import type { Command } from './palette/commands.ts';
import { PaletteProvider, useCommands, usePaletteContext } from './palette/palette-provider.tsx';
import { text as paletteText } from './palette/text.ts';
import { Rail } from './rail.tsx';
import { forgetRoom, RoomView } from './room-views.tsx';
import styles from './shell.module.css';
import { StatusBar } from './status-bar.tsx';
import { DropOverlay } from './uploads/drop-overlay.tsx';
import { useGlobalKeys } from './use-global-keys.ts';
import { focusLanding } from './use-kept-focus.ts';
import { useRailFold } from './use-rail-fold.ts';
import { useSettings } from './use-settings.ts';
import { useShellCommands } from './use-shell-commands.ts';
import { useWorkspaces } from './use-workspaces.ts';
import { useWelcome } from './welcome/use-welcome.ts';

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
  Rail: memo(Rail),
  HostFailure: memo(HostFailure),
  DamagedSettings: memo(DamagedSettings),
  RoomView: memo(RoomView),
  StatusBar: memo(StatusBar),
  DropOverlay: memo(DropOverlay),
  BundleDialogs: memo(BundleDialogs),
  KeysDialog: memo(KeysDialog),
};

/** The frame: command bar above, rail at the side, a view, status bar below. The views scroll, the page never does. */
function Frame() {
  const { room } = useNavigation();
  const { isFolded, canToggle, toggle } = useRailFold();
  const [showsKeys, setShowsKeys] = useState(false);
  const main = useRef<HTMLElement>(null);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  const hideKeys = useCallback(() => setShowsKeys(false), []);
  const { desk } = usePaletteContext();
  const isDecided = useWelcome();
  const actions = { toggleRail: toggle, showKeys, openPalette: desk.open };
  useGlobalKeys(actions);
  useShellCommands(actions);
  const {
    values: { singleLetterKeys },
  } = useSettings();
  useCommands(
    useMemo(
      () => ({ more: frameCommands(canToggle ? toggle : null, showKeys, singleLetterKeys) }),
      [canToggle, toggle, showKeys, singleLetterKeys],
    ),
  );
  return (
    <DraftDeskProvider>
      <div className={classNames(styles.shell, isFolded && styles.folded)}>
        <parts.CommandBar />
        <parts.Rail isFolded={isFolded} onFold={toggle} />
        <main ref={main} tabIndex={-1} className={styles.main} data-pane>
          <parts.HostFailure />
          <parts.DamagedSettings />
          {/* Outside of the keyed boundary: the view before stays until the next one is loaded, without a fallback. */}
          <Suspense>
            <ErrorBoundary key={room} onOpenAgain={() => forgetRoom(room)}>
              {isDecided && <parts.RoomView room={room} />}
              {isDecided && <RoomFocus main={main} />}
            </ErrorBoundary>
          </Suspense>
        </main>
        <parts.StatusBar />
        <parts.DropOverlay />
        <parts.BundleDialogs />
        <parts.KeysDialog isOpen={showsKeys} onClose={hideKeys} />
      </div>
    </DraftDeskProvider>
  );
}

const frameCommands = (toggleRail: (() => void) | null, showKeys: () => void, hasLetters: boolean): Command[] => [
  ...(toggleRail === null ? [] : [{ id: 'frame:rail', title: paletteText.foldRail, keys: 'Ctrl B', run: toggleRail }]),
  {
    id: 'frame:keys',
    title: paletteText.showKeys,
    keywords: paletteText.keysWords,
    ...(hasLetters ? { keys: '?' } : {}),
    run: showKeys,
  },
];

/**
 * A key leads to a room: what had the focus in the one before is gone, and the new one has it as soon as it is there,
 * before the next key.
 */
function RoomFocus({ main }: { main: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => {
    if (main.current === null || document.activeElement !== document.body || isBehindOverlay(main.current)) return;
    if (!focusLanding(main.current)) focusDrawn(main.current);
  }, [main]);
  return null;
}

/**
 * Without a host nothing on the page can be true, and without workspaces the rooms are empty, so it says so above
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
