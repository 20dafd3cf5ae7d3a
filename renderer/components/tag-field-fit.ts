/** CSS pixels, as the style sheet has them. */
const gap = 4;
const figureWidth = 6;
const aroundFigures = 12;

/** Room for "+7" or "+12". */
const widthOfMore = (rest: number): number => aroundFigures + figureWidth * String(rest).length;

/**
 * How many chips of these widths fit whole on a line; where not all do, there is room for the number of the others
 * behind them.
 */
export function chipsThatFit(widths: readonly number[], room: number): number {
  let used = -gap;
  const ends = widths.map((width) => (used += gap + width));
  const last = ends.length - 1;
  return ends.findLastIndex((end, at) => end + (at === last ? 0 : gap + widthOfMore(last - at)) <= room) + 1;
}
