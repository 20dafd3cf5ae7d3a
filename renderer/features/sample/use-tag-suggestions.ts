import { useCallback } from 'react';
import { useBridge } from '../../bridge/bridge-context.tsx';

/** As long as a beginning may be. */
const longestBeginning = 100;

/** Asks for known tags with a beginning. Without an answer there are none: what is typed is a tag all the same. */
export function useTagSuggestions(): (beginning: string) => Promise<readonly string[]> {
  const bridge = useBridge();
  return useCallback(
    async (beginning) => {
      const answer = await bridge.call('uploads.tags', { beginning: beginning.slice(0, longestBeginning) });
      return answer.ok ? answer.value.tags : [];
    },
    [bridge],
  );
}
