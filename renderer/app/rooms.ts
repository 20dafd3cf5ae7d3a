import {
  Activity,
  BookLock,
  Download,
  Library,
  type LucideIcon,
  MessagesSquare,
  Package,
  ScanSearch,
  Search,
  Upload,
} from 'lucide-react';
import { type RailRoom, railRooms } from '../../shared/domain/host.ts';

export type RoomName = RailRoom | 'settings' | 'welcome';

export interface Room {
  name: RoomName;
  title: string;
  Icon: LucideIcon;
}

const icons: Readonly<Record<RailRoom, LucideIcon>> = {
  library: Library,
  lookup: Search,
  'bulk-download': Download,
  upload: Upload,
  comments: MessagesSquare,
  scan: ScanSearch,
  publications: Package,
  activity: Activity,
  journal: BookLock,
};

/** The rooms of the rail, in its order. Settings has its own place at the foot. */
export const rooms: readonly Room[] = railRooms.map(({ name, title }) => ({ name, title, Icon: icons[name] }));
