import { useEffect, useEffectEvent } from 'react';
import { undoLatest } from '../components/toasts.tsx';
import { watchKeys } from '../keyboard/drawn-focus.ts';
import { isTyping } from '../keyboard/single-letters.ts';
import { rooms } from '../state/rooms.ts';
import { useSettings } from '../state/settings.ts';
import { hasOpenDialog } from '../keyboard/open-overlay.ts';
import { focusNextPane } from './panes.ts';
import { shortcutKeyOf } from './shortcut-key.ts';
import { useGoToRoom } from './use-go-to-room.ts';

export interface GlobalActions {
  toggleRail(): void;
  showKeys(): void;
  openPalette(): void;
}

/** The keys that work everywhere. Ctrl, or Command on a Mac. */
export function useGlobalKeys({ toggleRail, showKeys, openPalette }: GlobalActions): void {
  const goTo = useGoToRoom();
  const { values } = useSettings();
  const onKey = useEffectEvent((event: KeyboardEvent): boolean => {
    if (event.defaultPrevented || hasOpenDialog()) return false;
    if (event.key === 'F6') return focusNextPane(event.shiftKey ? -1 : 1);
    if (event.key === '?' && values.singleLetterKeys && !isTyping(event)) return done(showKeys);
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
    const key = shortcutKeyOf(event);
    if (key === 'k') return done(openPalette);
    if (key === 'b') return done(toggleRail);
    if (key === 'z') return !isTyping(event) && (event.repeat || undoLatest());
    if (key === ',') return done(() => goTo('settings'));
    const room = rooms[Number(key) - 1];
    return room !== undefined && done(() => goTo(room.name));
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
