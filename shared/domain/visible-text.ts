/** Letters of Arabic script that join the letter after them; the second line has those of Persian. */
const joiningLetters =
  String.raw`\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a` +
  String.raw`\u067e\u0686\u06a9\u06af\u06cc`;

/**
 * Combining marks on one character: as many as the Stream-Safe Text Format of Unicode allows (UAX #15, D5), which no
 * script needs. A browser takes a minute to draw one letter with twenty thousand.
 */
const mostMarks = 30;

const emojiSequences = String.raw`\p{RGI_Emoji_ZWJ_Sequence}|\p{RGI_Emoji_Tag_Sequence}|\p{Emoji_Keycap_Sequence}`;

/**
 * Characters that are invisible, or reorder visible ones: with them a name could imitate another (`fdp.exe` as
 * `exe.pdf`), or hold hidden words. Of joiners and selectors only those stay that change what is visible: in an emoji
 * that Unicode recommends, behind a symbol that has a text form too, and where they part two letters of Arabic script
 * that would join (Persian is written so). Elsewhere they would make two equal names differ.
 */
const makeHidden = (): RegExp =>
  new RegExp(
    [
      // At most places no emoji begins: its thousand sequences need not be tried there.
      String.raw`(?<seen>(?=\p{Emoji})(?:${emojiSequences})`,
      String.raw`(?<=(?!\p{Emoji_Presentation})\p{Extended_Pictographic})\ufe0f`,
      String.raw`(?<=[${joiningLetters}])\u200c(?=[\p{Script=Arabic}&&\p{Letter}]))`,
      String.raw`[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n]]`,
      String.raw`(?<=\p{M}{${mostMarks}})\p{M}`,
    ].join('|'),
    'gv',
  );

/** Most text has nothing of it; and to make the rest takes as long as a short command. */
const mayHide = new RegExp(
  String.raw`[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n]]|\p{M}{${mostMarks + 1}}`,
  'v',
);
let hidden: RegExp | null = null;

/**
 * Shows what would be invisible as JSON has it, `\u202e`, so that what is read is what is there; and so the marks that
 * are too many on one character. New lines and tabs stay.
 */
export function visibleText(text: string): string {
  if (!mayHide.test(text)) return text;
  hidden ??= makeHidden();
  return text.replace(hidden, (found: string, seen: string | undefined) => seen ?? spelledOut(found));
}

/** Where they begin to be too many: looked for at the beginning of each run only, so that a text is read once. */
const fullOfMarks = new RegExp(String.raw`(?<!\p{M})\p{M}{${mostMarks}}(?=\p{M})`, 'gu');
/** A bounded number at a time: a longer match of millions would be too deep. */
const someMarks = /\p{M}{1,1000}/uy;

/** Leaves out the combining marks that are too many on one character; an ellipsis is in their place. */
export function withFewMarks(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: kept, index } of text.matchAll(fullOfMarks)) {
    const end = index + kept.length;
    pieces.push(text.slice(from, end), '…');
    someMarks.lastIndex = end;
    while (someMarks.test(text)) from = someMarks.lastIndex;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
}

const breaks = /[\t\n\u2028\u2029]/g;

/** The same on one line: tabs and ends of lines are spelt out, too. */
export const visibleLine = (text: string): string => visibleText(text).replace(breaks, (found) => spelledOut(found));

/** Each UTF-16 unit as JSON has it, `\u202e`. */
export const spelledOut = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** The text that was shown so: what was spelled out is the character again. */
export const unspelled = (shown: string): string =>
  shown.replaceAll(/\\u([0-9a-f]{4})/g, (_match, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));

/** One line of whole characters that are all seen, and not of spaces alone. */
export const isSeenLine = (text: string): boolean =>
  text.isWellFormed() && visibleLine(text) === text && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** Only what SQLite's lower() makes smaller too: else a name with a capital umlaut would never be found. */
export const lowerLetters = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** At most so many UTF-16 units; what is left out is an ellipsis, and no character is cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1);
  const last = kept.charCodeAt(kept.length - 1);
  return `${last >= 0xd800 && last < 0xdc00 ? kept.slice(0, -1) : kept}…`;
}
