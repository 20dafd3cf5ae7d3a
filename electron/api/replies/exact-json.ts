/**
 * JSON whose whole numbers beyond 2^53 are texts of their digits: JSON.parse rounds them, and what two ids are rounded
 * to may be the same.
 * @param text valid JSON
 */
export function withLongNumbersAsTexts(text: string): string {
  const isOutside = outsideOfStrings(text);
  const pieces: string[] = [];
  let copied = 0;
  for (const { 0: found, 1: digits = '', index } of text.matchAll(/[[,:]\s*(-?\d{16,})(?![\d.eE])/g)) {
    if (Number.isSafeInteger(Number(digits)) || !isOutside(index)) continue;
    const end = index + found.length;
    pieces.push(text.slice(copied, end - digits.length), '"', digits, '"');
    copied = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied);
}

/** Asked about one place after the other, each behind the one before: it reads the text once. */
function outsideOfStrings(text: string): (place: number) => boolean {
  let opening = text.indexOf('"');
  let end = 0;
  return (place) => {
    while (opening >= 0 && opening < place) {
      end = endOfString(text, opening);
      opening = text.indexOf('"', end);
    }
    return place >= end;
  };
}

function endOfString(text: string, opening: number): number {
  let at = opening + 1;
  for (; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
  return at + 1;
}
