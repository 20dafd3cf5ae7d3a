import { assertNever } from '../../shared/assert-never.ts';
import type { ShellCommand } from '../../shared/domain/host.ts';
import { useEvent } from '../bridge/use-event.ts';
import { useDiagnostics } from './diagnostics/diagnostics-provider.tsx';
import { useNavigation } from './navigation.tsx';
import { type GlobalActions, hasOpenDialog } from './use-global-keys.ts';
import { useGoToRoom } from './use-go-to-room.ts';
import { useSwitchWorkspace } from './use-switch-workspace.ts';
import { useWorkspaces } from './use-workspaces.ts';

/**
 * Carries out what was chosen in a menu or a notification of the desktop. As with keys, a dialog that is open comes
 * first.
 */
export function useShellCommands({ toggleRail, showKeys, openPalette }: GlobalActions): void {
  const { openSettings, openPublications, openJob } = useNavigation();
  const { current } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  const goTo = useGoToRoom();
  const diagnostics = useDiagnostics();
  const goInto = (workspaceId: string): void => {
    if (current !== null && current.id !== workspaceId) switchTo(workspaceId);
  };
  const carryOut = (command: ShellCommand): void => {
    switch (command.kind) {
      case 'open-room':
        return goTo(command.room);
      case 'open-about':
        return openSettings('about');
      case 'open-storage':
        return openSettings('storage');
      case 'open-job':
        return openJob(command.id);
      case 'open-comments':
        goInto(command.workspaceId);
        return goTo('comments');
      case 'open-updates':
        goInto(command.workspaceId);
        return openPublications('updates');
      case 'open-palette':
        return openPalette();
      case 'show-keys':
        return showKeys();
      case 'fold-rail':
        return toggleRail();
      case 'save-diagnostics':
        openSettings('about');
        return diagnostics.save();
      default:
        return assertNever(command);
    }
  };
  useEvent('shell.command', (command) => {
    if (!hasOpenDialog()) carryOut(command);
  });
}
