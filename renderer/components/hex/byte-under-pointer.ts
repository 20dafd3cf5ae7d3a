import { rowBytes } from './offsets.ts';
import { rowHeight } from './row-scale.ts';

/** Characters that a cell is wide; the style sheet says the same. */
const cellWidths = { hex: 50, text: rowBytes } as const;

const half = rowBytes / 2;
/** Two digits and a gap, which is one wider in the middle of the row. */
const byteWidth = 3;

/** Which byte of a row is at a character of its digits; a gap belongs to the byte before it. */
export function byteAtDigit(character: number): number {
  const place = Math.floor((character < half * byteWidth ? character : character - 1) / byteWidth);
  return Math.max(0, Math.min(rowBytes - 1, place));
}

/** The byte at a place of the screen, as if the rows went on in all directions; null where no row is drawn. */
export function byteUnderPointer(
  rows: HTMLElement,
  { clientX, clientY }: { clientX: number; clientY: number },
): number | null {
  const first = rows.querySelector<HTMLElement>('[data-start]');
  const hex = first?.querySelector('[data-cell=hex]')?.getBoundingClientRect();
  const text = first?.querySelector('[data-cell=text]')?.getBoundingClientRect();
  if (!first || !hex || !text) return null;
  const row = Math.floor((clientY - first.getBoundingClientRect().top) / rowHeight);
  const isInText = clientX >= text.left;
  const place = isInText
    ? characterAt(clientX, text, cellWidths.text)
    : byteAtDigit(characterAt(clientX, hex, cellWidths.hex));
  return Number(first.dataset['start']) + row * rowBytes + Math.max(0, Math.min(rowBytes - 1, place));
}

const characterAt = (x: number, { left, width }: DOMRect, characters: number): number =>
  width === 0 ? 0 : Math.floor(((x - left) / width) * characters);
