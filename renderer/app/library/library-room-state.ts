import { useOperation } from '../../bridge/use-operation.ts';
import { numberWords } from '../../components/format.ts';
import type { RoomState } from '../running-jobs.tsx';
import { text } from '../text.ts';

/** How many samples this desk knows; null: none yet, or not told. */
export function useLibraryState(): RoomState | null {
  const { data } = useOperation('library.count', {});
  if (data === undefined || data.samples === 0) return null;
  return { kind: 'figure', shown: numberWords(data.samples), spoken: text.samplesKnown(data.samples) };
}
