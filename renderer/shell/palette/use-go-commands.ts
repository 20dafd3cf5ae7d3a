import type { Command } from '../../state/command.ts';
import { type PublicationsTab, publicationsTabs, settingsSections, useNavigation } from '../../state/navigation.tsx';
import { settingsNames, tabNames } from '../../state/place-names.ts';
import { rooms } from '../../state/rooms.ts';
import { text as frame } from '../../state/strings.ts';
import { useWorkspaces } from '../../state/workspaces.ts';
import { text } from './strings.ts';

/** Every room, and the places inside of them that have a way of their own. */
export function useGoCommands(): Command[] {
  const { openRoom, openSettings, openPublications } = useNavigation();
  const { current } = useWorkspaces();
  const hasTab = (tab: PublicationsTab): boolean => tab !== 'publish' || current?.builtIn === true;
  return [
    ...rooms.map(({ name, title }, at): Command => ({
      id: `room:${name}`,
      title,
      keywords: text.roomWords,
      keys: `Ctrl ${at + 1}`,
      leadsTo: name,
      run: () => openRoom(name),
    })),
    {
      id: 'room:settings',
      title: frame.settings,
      keywords: text.settingsWords,
      keys: 'Ctrl ,',
      leadsTo: 'settings',
      run: () => openRoom('settings'),
    },
    ...publicationsTabs.filter(hasTab).map((tab): Command => ({
      id: `publications:${tab}`,
      title: text.publications(tabNames[tab]),
      keywords: text.roomWords,
      leadsTo: 'publications',
      run: () => openPublications(tab),
    })),
    ...settingsSections.map((section): Command => ({
      id: `settings:${section}`,
      title: text.settings(settingsNames[section]),
      keywords: text.settingsWords,
      leadsTo: 'settings',
      run: () => openSettings(section),
    })),
  ];
}
