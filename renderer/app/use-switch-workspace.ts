import { visibleText } from '../../shared/domain/visible-text.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { failureWords } from '../components/failure-format.ts';
import { useToast } from '../components/toasts.tsx';
import { text } from './text.ts';
import { useWorkspaces } from './use-workspaces.ts';

/** Goes into another workspace, and says so, also where whoever asked for it is gone by then, as the palette is. */
export function useSwitchWorkspace(): (id: string) => void {
  const { workspaces } = useWorkspaces();
  const bridge = useBridge();
  const toast = useToast();
  const switchTo = async (id: string): Promise<void> => {
    const chosen = workspaces.find((workspace) => workspace.id === id);
    const answer = await bridge.call('workspaces.switch', { id });
    if (answer.ok) toast({ meaning: 'ok', text: text.switched(visibleText(chosen?.name ?? id)) });
    else toast({ meaning: 'bad', text: failureWords(answer.failure).what, failure: answer.failure });
  };
  return (id) => void switchTo(id);
}
