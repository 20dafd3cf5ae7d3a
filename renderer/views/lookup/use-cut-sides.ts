import { type RefObject, useLayoutEffect, useState } from 'react';

type Cut = Readonly<{ start: boolean; end: boolean }>;

const whole: Cut = { start: false, end: false };

/**
 * On which sides a field's text goes on beyond what is seen: a field that has the focus draws no ellipsis by itself, and shows the end of what was pasted.
 * Measured with every drawing, and by `measure` whenever the text is moved.
 */
export function useCutSides(field: RefObject<HTMLInputElement | null>): { cut: Cut; measure(): void } {
  const [cut, setCut] = useState(whole);
  const measure = (): void => {
    if (field.current === null) return;
    const { scrollLeft, clientWidth, scrollWidth } = field.current;
    // Rounding is no cut.
    const now = { start: scrollLeft > 1, end: scrollLeft + clientWidth < scrollWidth - 1 };
    setCut((before) => (before.start === now.start && before.end === now.end ? before : now));
  };
  useLayoutEffect(measure);
  return { cut, measure };
}
