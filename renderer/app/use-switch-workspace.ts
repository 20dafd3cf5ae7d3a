import { visibleText } from '../../shared/domain/visible-text.ts';
import { useAction } from '../bridge/use-action.ts';
import { failureWords } from '../components/failure-words.ts';
import { useToast } from '../components/toasts.tsx';
import { text } from './text.ts';
import { useWorkspaces } from './use-workspaces.ts';

/** Goes into another workspace, and says so. */
export function useSwitchWorkspace(): (id: string) => void {
  const { workspaces } = useWorkspaces();
  const { mutate } = useAction('workspaces.switch');
  const toast = useToast();
  return (id) => {
    const chosen = workspaces.find((workspace) => workspace.id === id);
    mutate({ id }, {
      onSuccess: () => toast({ meaning: 'ok', text: text.switched(visibleText(chosen?.name ?? id)) }),
      onError: (failure) => toast({ meaning: 'bad', text: failureWords(failure).what, failure }),
    });
  };
}
