import { Activity, Download, Library, MessagesSquare, Package, ScanSearch, Search, Upload, type LucideIcon } from 'lucide-react';
import { text } from './text.ts';

export type RoomName = 'library' | 'lookup' | 'bulk-download' | 'upload' | 'comments' | 'scan' | 'publications' | 'activity' | 'settings' | 'welcome';

export interface Room {
  name: RoomName;
  title: string;
  Icon: LucideIcon;
}

/** The rooms of the rail, in the order of Ctrl 1, Ctrl 2 and so on. Settings has its own place at the foot. */
export const rooms: readonly Room[] = [
  { name: 'library', title: text.library, Icon: Library },
  { name: 'lookup', title: text.lookUp, Icon: Search },
  { name: 'bulk-download', title: text.bulkDownload, Icon: Download },
  { name: 'upload', title: text.upload, Icon: Upload },
  { name: 'comments', title: text.comments, Icon: MessagesSquare },
  { name: 'scan', title: text.scan, Icon: ScanSearch },
  { name: 'publications', title: text.publications, Icon: Package },
  { name: 'activity', title: text.activity, Icon: Activity },
];
