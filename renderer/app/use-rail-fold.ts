import { useCallback, useSyncExternalStore, useState } from 'react';
import { rememberedRailFold, rememberRailFold } from '../memory/rail-width.ts';

const narrow = '(width < 1100px)';

function watchWidth(changed: () => void): () => void {
  const query = window.matchMedia(narrow);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Folded as the person left it; when they never said, by the width of the window. */
export function useRailFold(): { isFolded: boolean; toggle(): void } {
  const isNarrow = useSyncExternalStore(watchWidth, () => window.matchMedia(narrow).matches);
  const [chosen, setChosen] = useState(rememberedRailFold);
  const isFolded = isNarrow || (chosen ?? false);
  const toggle = useCallback(() => {
    setChosen((before) => {
      rememberRailFold(!(before ?? false));
      return !(before ?? false);
    });
  }, []);
  return { isFolded, toggle };
}
