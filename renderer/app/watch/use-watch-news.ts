import { useQueryClient } from '@tanstack/react-query';
import { useEvent } from '../../bridge/use-event.ts';
import { useToast } from '../../components/toasts.tsx';
import { useNavigation } from '../navigation.tsx';
import { useWorkspaces } from '../use-workspaces.ts';
import { text } from './text.ts';
import { useWatchState } from './use-watch-state.ts';

/** What came into the watched folder, and the way there: to the draft it lies in, where that is shown, else to the list of the files. */
export function useWatchNews(): void {
  const client = useQueryClient();
  const toast = useToast();
  const { openRoom, openSettings } = useNavigation();
  const { current } = useWorkspaces();
  const { data: state } = useWatchState();
  useEvent('watch.changed', () => void client.invalidateQueries({ queryKey: ['watch.state'] }));
  useEvent('watch.found', ({ files, hits }) => {
    const isHere = state?.workspaceId === current?.id;
    toast({
      meaning: 'info',
      text: text.found(files, hits),
      action: isHere ? { text: text.openUpload, act: () => openRoom('upload') } : { text: text.show, act: () => openSettings('watch') },
    });
  });
}
