import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText, forAny, whenBusy } from '../base/property.fixture.ts';
import { quotedName } from './multipart-name.ts';

const read = (quoted: string): string =>
  quoted
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(0A|0D|22|25)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

describe('a file’s name in a part', () => {
  it.each([
    ['invoice.exe', 'invoice.exe'],
    ['Rechnung März 📎.pdf', 'Rechnung März 📎.pdf'],
    ['say "hi".txt', 'say \\"hi\\".txt'],
    ['C:\\temp\\x.exe', 'C:\\\\temp\\\\x.exe'],
    ['ends in \\', 'ends in \\\\'],
    ['two\r\nlines', 'two%0D%0Alines'],
    ['100%', '100%'],
    ['%41%0a%0D%22%25', '%41%250a%250D%2522%2525'],
    ['nul\0tab\tdel\u007Fc1\u0085', 'nul\uFFFDtab\uFFFDdel\uFFFDc1\uFFFD'],
    ['half \uD83D pair', 'half \uFFFD pair'],
    ['', ''],
  ])('%j is written %j', (name, quoted) => {
    expect(quotedName(name)).toBe(quoted);
  });

  it(
    'can be read back, and ends neither its quotes nor its line',
    () => {
      const tricky = fc
        .array(
          fc.oneof(anyText, fc.constantFrom('%0a', '%25', '%2522', '"', '\\', '\\"', '\r\n', '%', '.', '\uD800')),
          { maxLength: 12 },
        )
        .map((parts) => parts.join(''));
      forAny(
        [tricky],
        (name) => {
          const quoted = quotedName(name);
          expect(quoted).not.toMatch(/\p{Cc}/u);
          expect(quoted.replace(/\\["\\]/g, '')).not.toMatch(/["\\]/);
          expect(read(quoted)).toBe(name.toWellFormed().replace(/[^\P{Cc}\r\n]/gu, '\uFFFD'));
        },
        500,
      );
    },
    whenBusy,
  );

  it('is cut at 1,024 characters and keeps its extension', () => {
    const cut = quotedName(`${'x'.repeat(5000)}.tar.gz`);
    expect(cut).toHaveLength(1024);
    expect(cut.endsWith('x.gz')).toBe(true);
    expect(quotedName(`a.${'y'.repeat(5000)}`)).toBe(`a.${'y'.repeat(1022)}`);
    expect(quotedName('z'.repeat(2000))).toHaveLength(1024);
  });

  it('is cut between characters', () => {
    for (const shift of ['', 'x']) {
      const cut = quotedName(`${shift}${'📎'.repeat(1000)}.exe`);
      expect(cut).not.toContain('\uFFFD');
      expect(cut.endsWith('📎.exe')).toBe(true);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1020 * 2 + 4);
    }
  });
});
