import { type ByteClass, type ByteStrip, partsOfStrip, type StripPart } from '../../shared/domain/byte-classes.ts';

/** One upright bar of a drawing, in device pixels from its upper left corner. */
export interface StripBar {
  byteClass: ByteClass;
  left: number;
  width: number;
  height: number;
}

/**
 * A strip as bars: the class of the bytes as hue, their entropy as height. Each begins and ends on a whole pixel, so
 * that none is blurred; neighbours that look the same are one bar. Where pixels are fewer than parts, the highest of a
 * pixel is drawn.
 */
export function barsOf(strip: ByteStrip, width: number, height: number): StripBar[] {
  const parts = partsOfStrip(strip);
  const bars: StripBar[] = [];
  for (let x = 0; x < width; x += 1) {
    const { byteClass, entropy } = highestOf(parts, x, width);
    // No entropy at all is still something: a file of zeros has its bytes.
    const tall = Math.max(Math.ceil(height / 14), Math.round((entropy / 8) * height));
    const last = bars.at(-1);
    if (last?.byteClass === byteClass && last.height === tall) last.width += 1;
    else bars.push({ byteClass, left: x, width: 1, height: tall });
  }
  return bars;
}

const nothing: StripPart = { byteClass: 'zero', entropy: 0 };

function highestOf(parts: readonly StripPart[], x: number, width: number): StripPart {
  const first = Math.floor((x * parts.length) / width);
  const end = Math.max(first + 1, Math.floor(((x + 1) * parts.length) / width));
  return parts
    .slice(first, end)
    .reduce((highest, part) => (part.entropy > highest.entropy ? part : highest), parts[first] ?? nothing);
}

/** The lowest and the highest entropy of a strip, bits a byte. */
export function entropyRange(strip: ByteStrip): { least: number; most: number } {
  const all = partsOfStrip(strip).map(({ entropy }) => entropy);
  return { least: Math.min(...all), most: Math.max(...all) };
}
