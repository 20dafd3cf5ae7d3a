import { hash } from 'node:crypto';
import type { NameTrait } from '../../shared/domain/opened-archive.ts';
import { withFewMarks } from '../../shared/domain/visible-text.ts';

/**
 * Control characters (C0, C1, NUL), and the marks that turn the direction of text: `exe.fdp` shown backwards looks like
 * another kind of file. Line and paragraph separators go with them.
 */
// oxlint-disable-next-line no-control-regex
const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const hiddenEach = new RegExp(hidden, 'g');
const absolute = /^(?:[/\\]|[a-z]:)/i;
/** Windows drops dots and spaces at the end of a part, so that `.. ` is `..` to it. */
const isDotted = (part: string): boolean => /^\.[. ]*$/.test(part) && part.lastIndexOf('.') > 0;
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file; an extension or spaces after them change nothing. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³]) *(?:[.:]|$)/i;

/**
 * What is worth a second look in the name of a member, or null. Names are labels, never paths: such a member is read
 * like any other.
 */
export function nameTraitOf(name: string): NameTrait | null {
  if (hidden.test(name)) return 'control';
  if (absolute.test(name)) return 'absolute';
  const parts = name.split(/[/\\]/);
  if (parts.some(isDotted)) return 'dotted';
  return parts.some((part) => reserved.test(part)) ? 'reserved' : null;
}

const shownLength = 200;

/** A name as text for a failure: hidden characters spelt out, and no longer than 200 characters. */
export function shownName(name: string): string {
  const shown = withFewMarks(name.slice(0, shownLength + 1)).replace(
    hiddenEach,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return shown.length <= shownLength ? shown : `${shown.slice(0, shownLength - 1).toWellFormed()}…`;
}

/** The last part of a member's name, and the folders before it. A name without a part, such as `/`, is one as it is. */
export function memberPlace(name: string): { name: string; path: string } {
  const parts = name.split(/[/\\]/).filter((part) => part !== '');
  return { name: parts.at(-1) ?? name, path: parts.slice(0, -1).join('/') };
}

/** Which names an archive has given so far, in bounded memory: a name may have 65,535 characters. */
export class NamesSeen {
  readonly #keys = new Set<string>();

  /** False when it was there before. */
  add(name: string): boolean {
    const key = name.length <= shownLength ? name : `${name.length}:${hash('sha256', name)}`;
    const fresh = !this.#keys.has(key);
    this.#keys.add(key);
    return fresh;
  }
}
