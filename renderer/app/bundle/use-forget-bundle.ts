import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useBundleDesk } from './bundle-desk.tsx';
import { text } from './text.ts';

/** Stops its reading, or forgets what was read: nothing is open afterwards, and nothing was changed. */
export function useForgetBundle({ id }: Pick<BundleOpening, 'id'>): () => void {
  const bridge = useBridge();
  const toast = useToast();
  const { noteClosed, noteFile } = useBundleDesk();
  const forget = async (): Promise<void> => {
    // First: the host may tell that nothing is open before it answers, and no file is asked a passphrase for then.
    noteFile(null);
    const answer = await bridge.call('bundles.close', { id });
    if (!answer.ok)
      return toast({
        meaning: 'bad',
        text: text.notForgotten(failureWords(answer.failure).what),
        failure: answer.failure,
      });
    return noteClosed(id);
  };
  return () => void forget();
}
