import type { LibrarySelection } from '../../../../shared/domain/library.ts';
import { noRows, withTicks } from '../../../components/data-grid/row-selection.ts';
import type { LibraryPlace } from '../../../features/library/library-place.tsx';

type Chosen = Pick<LibraryPlace, 'selection' | 'current'>;
type ChosenIn = Chosen & Pick<LibraryPlace, 'searched'>;

/**
 * What is forgotten is neither ticked nor chosen any more; what was ticked or chosen since it was asked about stays.
 */
export function withoutForgotten(now: ChosenIn, asked: ChosenIn, forgotten: readonly LibrarySelection[]): Chosen {
  const named = new Set(forgotten.flatMap((selection) => (selection.kind === 'named' ? selection.hashes : [])));
  const kept = now.selection.kind === 'these' ? withTicks(now.selection, named, false) : now.selection;
  // All that a search finds is the same selection in every list.
  const isSame = now.selection === asked.selection && now.searched === asked.searched;
  const isChosenStill =
    now.current !== null && (named.size > 0 ? !named.has(now.current.hash) : now.current !== asked.current);
  return { selection: isSame ? noRows : kept, current: isChosenStill ? now.current : null };
}
