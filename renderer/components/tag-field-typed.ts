import { normalTag, tag as tagSchema, type TlpLevel, tlpOf } from '../../shared/domain/tag.ts';
import { text } from './tag-field-text.ts';

/** What a person typed, read as one tag. */
export type TypedTag =
  | { kind: 'none' }
  | { kind: 'tag'; tag: string }
  | { kind: 'tlp'; level: TlpLevel }
  | { kind: 'invalid'; reason: string };

export function readTag(typed: string): TypedTag {
  const tag = normalTag(typed);
  if (tag === '') return { kind: 'none' };
  if (tag.startsWith('tlp:')) {
    const level = tlpOf([tag]);
    return level === null ? { kind: 'invalid', reason: text.notTlp } : { kind: 'tlp', level };
  }
  const read = tagSchema.safeParse(tag);
  if (read.success) return { kind: 'tag', tag: read.data };
  return { kind: 'invalid', reason: text.invalid(read.error.issues[0]?.message ?? 'a tag') };
}

/** As many as are taken from one pasted text. */
export const mostAtOnce = 100;
/** UTF-16 code units: as many tags as that, each as long as one may be, and their commas. */
const longestPaste = mostAtOnce * 102;

/** Commas end a tag, and so do the lines and tabs of a pasted list. What follows the last of them is not ended yet. */
export function splitTyped(typed: string): { ended: string[]; rest: string; isCut: boolean } {
  const parts = typed.slice(0, longestPaste).split(/[,\r\n\t]/);
  const rest = parts.pop() ?? '';
  const ended = parts.filter((part) => part.trim() !== '');
  const isCut = typed.length > longestPaste || ended.length > mostAtOnce;
  return { ended: ended.slice(0, mostAtOnce), rest: isCut ? '' : rest, isCut };
}
