import type { BytePattern } from '../../../shared/domain/byte-view.ts';

export interface FindForm {
  typed: string;
  as: 'text' | 'hex';
  /** Text: two bytes a character, as Windows has it. */
  isWide: boolean;
  /** Text: letters in either case. */
  anyCase: boolean;
}

export const emptyForm: FindForm = { typed: '', as: 'text', isWide: false, anyCase: false };

export type ReadPattern =
  { kind: 'pattern'; pattern: BytePattern } | { kind: 'nothing' } | { kind: 'not-hex' } | { kind: 'too-long' };

const mostBytes = 256;

/**
 * Hexadecimal digits may be written as a rule, a program or a dump has them: `5a 1c`, `5a1c`, `0x5a, 0x1c`, `\x5a\x1c`,
 * `{ 5a 1c }`.
 */
export function readPattern({ typed, as, isWide, anyCase }: FindForm): ReadPattern {
  if (typed.trim() === '') return { kind: 'nothing' };
  const hex = as === 'hex' ? digitsOf(typed) : digitsOfText(typed, isWide);
  if (hex === null) return { kind: 'not-hex' };
  if (hex.length > mostBytes * 2) return { kind: 'too-long' };
  return { kind: 'pattern', pattern: { hex, anyCase: as === 'text' && anyCase } };
}

function digitsOf(typed: string): string | null {
  const digits = typed.toLowerCase().replaceAll(/0x|\\x|[\s,;:{}-]/g, '');
  return digits.length > 0 && digits.length % 2 === 0 && /^[0-9a-f]+$/.test(digits) ? digits : null;
}

function digitsOfText(typed: string, isWide: boolean): string {
  const bytes = isWide
    ? Array.from({ length: typed.length }, (_, at) => typed.charCodeAt(at)).flatMap((code) => [
        code % 256,
        Math.floor(code / 256),
      ])
    : [...new TextEncoder().encode(typed)];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
