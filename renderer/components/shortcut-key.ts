type PressedKey = Pick<KeyboardEvent, 'key' | 'code'>;

/** Where a US keyboard has this letter or digit; undefined for other keys. */
const placeOf = (code: string): string | undefined => /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase();

/**
 * What a shortcut with Ctrl is known by, whatever Caps Lock and the layout are: the letter, digit or comma that the key
 * types. Where it types none of these, as digits of AZERTY and all of Cyrillic, what a US keyboard has in its place. Of
 * other keys their lower-cased name.
 */
export function shortcutKeyOf({ key, code }: PressedKey): string {
  const typed = key.toLowerCase();
  const place = code === 'Comma' ? ',' : placeOf(code);
  if (place === undefined || /^[a-z\d,]$/.test(typed)) return typed;
  // A mark of this layout is a key of its own, except on its digits.
  const isMark = /^[!-~]$/.test(typed);
  return isMark && !/\d/.test(place) ? typed : place;
}

/**
 * What a single key is known by, in lower case: the letter, digit or mark that it types. Where it types none of ASCII,
 * as in Cyrillic, Greek, Hebrew or Arabic, what a US keyboard has in its place.
 */
export function letterKeyOf({ key, code, shiftKey }: PressedKey & Pick<KeyboardEvent, 'shiftKey'>): string {
  const typed = key.toLowerCase();
  if (typed.length > 1 || /^[ -~]$/.test(typed)) return typed;
  return (code === 'Slash' ? (shiftKey ? '?' : '/') : placeOf(code)) ?? typed;
}
