import { type ReactElement, use, useState } from 'react';
import { type RoomName, rooms } from '../state/rooms.ts';
import { LookupView } from '../views/lookup/lookup-view.tsx';
import { RoomNotLoaded } from './room-not-loaded.ts';

/** The page opens with the look-up; the others are loaded afterwards. */
type LaterRoom = Exclude<RoomName, 'lookup'>;

const sources: Readonly<Record<LaterRoom, () => Promise<ReactElement>>> = {
  library: () => import('../views/library/library-view.tsx').then(({ LibraryView }) => <LibraryView />),
  'bulk-download': () =>
    import('../views/bulk-download/bulk-download-view.tsx').then(({ BulkDownloadView }) => <BulkDownloadView />),
  upload: () => import('../views/upload/upload-view.tsx').then(({ UploadView }) => <UploadView />),
  comments: () => import('../views/comments/comments-view.tsx').then(({ CommentsView }) => <CommentsView />),
  scan: () => import('../views/scan/scan-view.tsx').then(({ ScanView }) => <ScanView />),
  publications: () =>
    import('../views/publications/publications-view.tsx').then(({ PublicationsView }) => <PublicationsView />),
  activity: () => import('../views/activity/activity-view.tsx').then(({ ActivityView }) => <ActivityView />),
  journal: () => import('../views/journal/journal-view.tsx').then(({ JournalView }) => <JournalView />),
  settings: () => import('../views/settings/settings-view.tsx').then(({ SettingsView }) => <SettingsView />),
  welcome: () => import('./welcome/welcome.tsx').then(({ Welcome }) => <Welcome />),
};

const laterRooms: readonly LaterRoom[] = [...rooms.map(({ name }) => name), 'settings' as const].filter(
  (name) => name !== 'lookup',
);

const here = new Map<LaterRoom, ReactElement>();
const asked = new Map<LaterRoom, Promise<ReactElement>>();

/**
 * Shows a room: at once when its code is here, else as soon as it is. Throws `RoomNotLoaded` when that could not be
 * had.
 */
export function RoomView({ room }: { room: RoomName }) {
  return room === 'lookup' ? <LookupView /> : <LaterView key={room} room={room} />;
}

/**
 * What is here is shown without waiting, in which React would draw it in pieces. It is looked up once: shown otherwise
 * later, the room would begin anew.
 */
function LaterView({ room }: { room: LaterRoom }) {
  const [view] = useState(() => here.get(room));
  return view ?? <AwaitedView room={room} />;
}

const AwaitedView = ({ room }: { room: LaterRoom }): ReactElement => use(load(room));

/** The same promise each time: a room that failed stays so until it is forgotten. */
function load(room: LaterRoom): Promise<ReactElement> {
  const before = asked.get(room);
  if (before !== undefined) return before;
  const now = loadAnew(room);
  asked.set(room, now);
  return now;
}

async function loadAnew(room: LaterRoom): Promise<ReactElement> {
  try {
    const view = await sources[room]();
    here.set(room, view);
    return view;
  } catch (cause) {
    throw new RoomNotLoaded(room, cause);
  }
}

/** When the room is shown next, it is asked for anew. */
export function forgetRoom(room: RoomName): void {
  if (room !== 'lookup') asked.delete(room);
}

/**
 * Loads the rooms one after the other while the page has nothing else to do: then each opens at once, even when the
 * host has gone.
 */
export async function loadRoomsWhenIdle(): Promise<void> {
  for (const room of laterRooms) {
    await idle();
    // Who opens the room asks again, and is told when that fails too.
    await load(room).catch(() => forgetRoom(room));
  }
}

const idle = (): Promise<void> => new Promise((resolve) => requestIdleCallback(() => resolve()));
