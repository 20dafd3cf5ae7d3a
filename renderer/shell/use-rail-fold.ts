import { useCallback, useSyncExternalStore, useState } from 'react';
import { rememberedRailFold, rememberRailFold } from '../memory/rail-width.ts';

const narrow = '(width < 1100px)';

function watchWidth(changed: () => void): () => void {
  const query = window.matchMedia(narrow);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

export interface RailFold {
  isFolded: boolean;
  /**
   * False in a narrow window, where it stays folded: then `toggle` does nothing, what was not seen would be remembered.
   */
  canToggle: boolean;
  toggle(): void;
}

/** Folded as the person left it; in a narrow window always. */
export function useRailFold(): RailFold {
  const isNarrow = useSyncExternalStore(watchWidth, () => window.matchMedia(narrow).matches);
  const [chosen, setChosen] = useState(rememberedRailFold);
  const isFolded = isNarrow || (chosen ?? false);
  const toggle = useCallback(() => {
    if (isNarrow) return;
    setChosen((before) => {
      rememberRailFold(!(before ?? false));
      return !(before ?? false);
    });
  }, [isNarrow]);
  return { isFolded, canToggle: !isNarrow, toggle };
}
