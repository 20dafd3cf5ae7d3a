/**
 * The rooms of the rail, in its order, which is that of Ctrl 1, Ctrl 2 and so on: the page and the desktop's menus name
 * them alike.
 */
export const railRooms = [
  { name: 'library', title: 'Library' },
  { name: 'lookup', title: 'Look up' },
  { name: 'bulk-download', title: 'Bulk download' },
  { name: 'upload', title: 'Upload' },
  { name: 'comments', title: 'Comments' },
  { name: 'scan', title: 'Scan' },
  { name: 'publications', title: 'Publications' },
  { name: 'activity', title: 'Activity' },
  { name: 'journal', title: 'Journal' },
] as const;

export type RailRoom = (typeof railRooms)[number]['name'];
