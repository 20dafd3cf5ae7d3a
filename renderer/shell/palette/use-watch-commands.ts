import { useWatchState } from '../../features/watch/use-watch-state.ts';
import type { Command } from '../../state/command.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.ts';
import { text } from './strings.ts';
import { useTold } from './use-told.ts';

/** Turns on and off the folder that was chosen; to choose one, its place is in the settings. */
export function useWatchCommands(): Command[] {
  const { openSettings } = useNavigation();
  const { current } = useWorkspaces();
  const { data: state } = useWatchState();
  const told = useTold();
  const workspaceId = state?.workspaceId ?? current?.id;
  if (state === undefined || state.folder === null || workspaceId === undefined) return [];
  const title = state.isOn ? text.watchOff : text.watchOn;
  const turn = (): void => {
    openSettings('watch');
    void told('watch.turn', { isOn: !state.isOn, workspaceId }, title);
  };
  return [{ id: 'watch:turn', title, keywords: text.watchWords, leadsTo: 'settings', run: turn }];
}
