/** Letters that East Asian fonts and terminals draw two columns wide. */
const wideLetters = [
  String.raw`\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3`,
  String.raw`\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6`,
  String.raw`\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}`,
].join('');
/** These letters, and emoji. */
const wide = new RegExp(String.raw`[${wideLetters}\p{Emoji_Presentation}]|\p{Emoji}\ufe0f`, 'u');
const blank = /^[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u;
const ascii = /^[\x20-\x7e]*$/;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ellipsis = '…';

/** How many columns of a terminal a text on one line takes. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += columnsOf(segment);
  return width;
}

const columnsOf = (segment: string): number => (blank.test(segment) ? 0 : wide.test(segment) ? 2 : 1);

/** Cut to a width, with an ellipsis in the place of the rest. No letter is cut apart. */
export function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width < 1) return '';
  let [kept, taken] = ['', 0];
  for (const { segment } of segmenter.segment(text)) {
    taken += columnsOf(segment);
    if (taken > width - 1) break;
    kept += segment;
  }
  return `${kept}${ellipsis}`;
}

export function padTo(text: string, width: number, align: 'left' | 'right'): string {
  const missing = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'left' ? `${text}${missing}` : `${missing}${text}`;
}
