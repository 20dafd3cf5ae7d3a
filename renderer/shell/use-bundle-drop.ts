import { useToast } from '../components/toasts.tsx';
import { useBundleDesk } from '../features/bundle/bundle-store.tsx';
import { text } from '../features/bundle/strings.ts';
import type { DroppedEntry } from '../features/uploads/dropped-entry.ts';

const isBundle = (entry: DroppedEntry): entry is File => entry instanceof File && /\.vitrine-bundle$/i.test(entry.name);

/** A bundle among what is dropped is opened, wherever one is; all else goes where it would go. */
export function useBundleDrop(
  takeOthers: (dropped: readonly DroppedEntry[]) => void,
): (dropped: readonly DroppedEntry[]) => void {
  const { take } = useBundleDesk();
  const toast = useToast();
  return (dropped) => {
    const [bundle, ...more] = dropped.filter(isBundle);
    const others = dropped.filter((entry) => !isBundle(entry));
    if (others.length > 0 || bundle === undefined) takeOthers(others);
    if (more.length > 0) toast({ meaning: 'info', text: text.onlyOne });
    if (bundle !== undefined) take(bundle);
  };
}
