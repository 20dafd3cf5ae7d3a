import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import { useAction } from '../../bridge/use-action.ts';
import { useBundleDesk } from './bundle-desk.tsx';

/** Stops its reading, or forgets what was read: nothing is open afterwards, and nothing was changed. */
export function useForgetBundle({ id }: Pick<BundleOpening, 'id'>): () => void {
  const close = useAction('bundles.close');
  const { note, noteFile } = useBundleDesk();
  return () => close.mutate({ id }, {
    onSuccess: () => {
      note(null);
      noteFile(null);
    },
  });
}
