import { type ComponentType, use } from 'react';
import { LookupView } from '../views/lookup/lookup-view.tsx';
import { RoomNotLoaded } from './room-not-loaded.ts';
import type { RoomName } from './rooms.ts';

/** The page opens with the look-up; all others are loaded afterwards. */
type LaterRoom = Exclude<RoomName, 'lookup'>;

/** In the order of the rail. */
const sources: Readonly<Record<LaterRoom, () => Promise<ComponentType>>> = {
  library: async () => (await import('../views/library/library-view.tsx')).LibraryView,
  'bulk-download': async () => (await import('../views/bulk-download/bulk-download-view.tsx')).BulkDownloadView,
  upload: async () => (await import('../views/upload/upload-view.tsx')).UploadView,
  comments: async () => (await import('../views/comments/comments-view.tsx')).CommentsView,
  scan: async () => (await import('../views/scan/scan-view.tsx')).ScanView,
  publications: async () => (await import('../views/publications/publications-view.tsx')).PublicationsView,
  activity: async () => (await import('../views/activity/activity-view.tsx')).ActivityView,
  settings: async () => (await import('../views/settings/settings-view.tsx')).SettingsView,
};

const loaded = new Map<RoomName, Promise<ComponentType>>();

/** Shows a room, as soon as its code is here. Throws `RoomNotLoaded` when that could not be had. */
export function RoomView({ room }: { room: RoomName }) {
  return room === 'lookup' ? <LookupView /> : <LaterView room={room} />;
}

function LaterView({ room }: { room: LaterRoom }) {
  const View = use(load(room));
  return <View />;
}

/** The same promise each time, so that a room that is here is shown at once, and one that failed stays failed until it is forgotten. */
function load(room: LaterRoom): Promise<ComponentType> {
  const before = loaded.get(room);
  if (before !== undefined) return before;
  const now = sources[room]().catch((cause: unknown) => {
    throw new RoomNotLoaded(room, cause);
  });
  loaded.set(room, now);
  return now;
}

/** The next time that the room is shown, its code is asked for anew. */
export function forgetRoom(room: RoomName): void {
  loaded.delete(room);
}

/** Loads the rooms one after the other while the page has nothing else to do: then each opens at once, even when the host has gone. */
export async function loadRoomsWhenIdle(): Promise<void> {
  for (const room of laterRooms) {
    await idle();
    // Who opens the room asks again, and is told when that fails too.
    await load(room).catch(() => forgetRoom(room));
  }
}

const laterRooms: readonly LaterRoom[] = ['library', 'bulk-download', 'upload', 'comments', 'scan', 'publications', 'activity', 'settings'];

const idle = (): Promise<void> => new Promise((resolve) => requestIdleCallback(() => resolve()));
