/** CSS pixels, as the style sheet has them. */
const gap = 4;
const widthOfMore = 28;

/** How many chips of these widths fit whole on a line; where not all do, there is room for "+12" behind them. */
export function chipsThatFit(widths: readonly number[], room: number): number {
  const all = widths.reduce((sum, width) => sum + width + gap, -gap);
  if (all <= room) return widths.length;
  let used = widthOfMore;
  const first = widths.findIndex((width) => {
    used += width + gap;
    return used > room;
  });
  return Math.max(0, first);
}
