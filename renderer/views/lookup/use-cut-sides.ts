import { type RefObject, useLayoutEffect } from 'react';

/**
 * Notes on a field, as `data-cut`, on which sides its text goes on beyond what is seen: one that has the focus draws no
 * ellipsis by itself, and shows the end of what was pasted. Noted with every drawing, and by what this returns whenever
 * the text is moved.
 */
export function useCutSides(field: RefObject<HTMLInputElement | null>): () => void {
  const noteCut = (): void => void (field.current !== null && note(field.current));
  useLayoutEffect(noteCut);
  return noteCut;
}

function note(field: HTMLInputElement): void {
  const { scrollLeft, clientWidth, scrollWidth } = field;
  // Rounding is no cut.
  const sides = [scrollLeft > 1 && 'start', scrollLeft + clientWidth < scrollWidth - 1 && 'end'].filter(
    (side) => side !== false,
  );
  field.dataset.cut = sides.join(' ');
}
