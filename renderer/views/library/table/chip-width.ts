/** What a chip has around its text, in CSS pixels, as the style sheet has it. */
const around = 13;
/** Where nothing can be measured. */
const usualCharacter = 6;
const mostKnown = 5000;

const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null | undefined;

/**
 * How wide the chip of a tag is, in CSS pixels: worked out, since laying it out to see would cost each row a look at
 * the page.
 */
export function chipWidth(shown: string): number {
  const known = widths.get(shown);
  if (known !== undefined) return known;
  const width = Math.ceil(measured(shown)) + around;
  // A font that is still on its way measures as another one.
  if (document.fonts?.status !== 'loaded') return width;
  if (widths.size >= mostKnown) widths.clear();
  widths.set(shown, width);
  return width;
}

function measured(shown: string): number {
  if (pen === undefined) {
    pen = document.createElement('canvas').getContext('2d');
    if (pen) pen.font = '400 11px "Inter Variable"';
  }
  return pen?.measureText(shown).width ?? shown.length * usualCharacter;
}
