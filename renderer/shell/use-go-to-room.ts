import { useCallback } from 'react';
import { useNavigation } from '../state/navigation.tsx';
import type { RoomName } from '../state/rooms.ts';

/** Leads to a room from elsewhere than a button of the page: a key, or a menu of the desktop. */
export function useGoToRoom(): (room: RoomName) => void {
  const { room: shown, openRoom } = useNavigation();
  return useCallback(
    (room) => {
      // The room takes the focus that nobody has: else the next key would still be for the button of the one before.
      if (room !== shown && document.activeElement instanceof HTMLElement) document.activeElement.blur();
      openRoom(room);
    },
    [shown, openRoom],
  );
}
