/**
 * What a shortcut is known by, whatever Caps Lock and the layout are: the letter, digit or comma that the key types.
 * Where it types none of these, as digits of AZERTY and all of Cyrillic, what a US keyboard has in its place. Of other
 * keys their lower-cased name.
 */
export function shortcutKeyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const typed = key.toLowerCase();
  const place = code === 'Comma' ? ',' : /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase();
  if (place === undefined || /^[a-z\d,]$/.test(typed)) return typed;
  // A mark of this layout is a key of its own, except on its digits.
  const isMark = /^[!-~]$/.test(typed);
  return isMark && !/\d/.test(place) ? typed : place;
}
