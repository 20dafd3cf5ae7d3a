import { useToast } from '../../../components/toasts.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { text } from '../text.ts';

/** Says that a job does what was asked, and leads to it. */
export function useJobNews(): (id: number) => void {
  const toast = useToast();
  const { openJob } = useNavigation();
  return (id) =>
    toast({ meaning: 'info', text: text.doneByJob(id), action: { text: text.show, act: () => openJob(id) } });
}
