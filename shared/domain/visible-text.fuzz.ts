import fc from 'fast-check';
import { textOfWords } from '../testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../testing/fuzz-target.ts';
import { textForm } from '../testing/input-forms.ts';
import { csvLine } from './csv.ts';
import { defang } from './defang.ts';
import { visibleLine, visibleText } from './visible-text.ts';

const words = [
  'http://',
  'https://',
  'HTTPS://',
  'hxxp://',
  'ftp://',
  'smb://',
  '1.',
  'javascript:',
  'file:',
  'mailto:',
  'data:text/html,',
  'search-ms:',
  '\\\\',
  '\\\\host\\share',
  'C:\\',
  '//',
  'a.example',
  'sub.a.example',
  'пример.рф',
  'xn--e1afmkfd.example',
  'www.',
  '@',
  'user@a.example',
  '1.2.3.4',
  '999.1.1.1',
  '[.]',
  '[',
  ']',
  '.',
  '-',
  '_',
  ':',
  ':8080',
  '/',
  '?',
  '#',
  ' ',
  '\u202e',
  '\u200b',
  '\u200d',
  '\ufe0f',
  '\u{1f468}\u200d\u{1f469}',
  '\u00ad',
  '\ufeff',
  '\u2028',
  '\t',
  '\n',
  '\r',
  '\0',
  '\x1b[31m',
  '\u{e0041}',
  '\u034f',
  '=cmd',
  '+1',
  '@SUM',
  '"',
  ',',
  ';',
  "'",
  'a'.repeat(50),
  'a.'.repeat(40),
  '\u0628\u200c\u0628',
];

export const target = fuzzTarget({
  name: 'shown-text',
  reads: 'any text of a service, to be shown, copied defanged or written to a table',
  holds:
    'no invisible or reversing characters; no clickable address; one CSV line with the same cells, no formula; ' +
    'showing it again changes nothing',
  form: textForm(words),
  seeds: [
    'see https://a.example/x?y=1 or mail a@b.example, \\\\host\\share, 1.2.3.4',
    'fdp.\u202eexe',
    '=cmd|\' /C calc\'!A0;"x"',
  ],
  made: fc.oneof(textOfWords(words, 20), textOfWords(words, 300)),
  attack(text) {
    const [shown, line] = [visibleText(text), visibleLine(text)];
    mustHold(
      !/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u00ad]/.test(shown) && !/[\p{Cc}\u2028\u2029]/u.test(line),
      'something is not seen',
    );
    mustHold(visibleText(shown) === shown && visibleLine(line) === line, 'it is another text when it is done again');
    mustHold(!/https?:\/\/|(?<![a-z])(?:ftp|smb|ldap|file):\/\//i.test(defang(text)), 'there is an address in it');
    const cells = cellsOf(csvLine([text, 'x', text]));
    mustHold(cells.length === 3 && cells[0] === cells[2], `there are ${cells.length} cells`);
    mustHold(!/^[=+\-@]/.test(cells[0] ?? ''), 'a cell is a formula');
  },
});

/** A line as RFC 4180 has it. */
function cellsOf(line: string): string[] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|\r\n$)/y;
  const cells: string[] = [];
  for (let found = cell.exec(line); found !== null; found = cell.exec(line))
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
  return cells;
}
