import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { textOfWords } from '../../shared/testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { textForm } from '../../shared/testing/input-forms.ts';
import { nameTraitOf, shownName } from './archive-names.ts';
import { hostileNames } from './zip-inputs.fixture.ts';

const texts = hostileNames.map((name) => (typeof name === 'string' ? name : new TextDecoder().decode(name)));
const words = [
  '..',
  '.',
  '/',
  '\\',
  ' ',
  'a',
  'b.exe',
  'C:',
  ':',
  '::$DATA',
  'con',
  'NUL',
  'com1',
  'COM¹',
  'lpt9',
  'LPT³',
  'COM0',
  'CONIN$',
  'conout$',
  'Clock$',
  '.txt',
  '\u202e',
  '\u200f',
  '\u2066',
  '\0',
  '\x1b',
  '\x85',
  '%2e',
  '\uff0e\uff0e',
  '\u2215',
  '\u29f5',
  '~',
  '?',
  '*',
  '|',
];

/** Each is one to Windows whatever the case of its letters, and with spaces, an extension or a stream behind it. */
const devices = [
  'con',
  'prn',
  'aux',
  'nul',
  'conin$',
  'conout$',
  'clock$',
  ...['com', 'lpt'].flatMap((port) => Array.from('0123456789¹²³', (digit) => `${port}${digit}`)),
];
const device = new RegExp(`^(?:${devices.join('|').replaceAll('$', '\\$')}) *(?:[.:]|$)`, 'i');

/** Whether Windows, which drops dots and spaces at the end of a part, would take it for the folder above. */
const isAbove = (part: string): boolean => part.startsWith('..') && /^[. ]*$/.test(part);

export const target = fuzzTarget({
  name: 'names',
  reads: 'the name of a file in an archive',
  holds:
    'an accepted name stays in its folder on every system, names no device and hides nothing; a shown name is ' +
    'short and on one line',
  form: textForm(words),
  seeds: [...texts, ...devices, 'a/CONIN$', 'COM¹.txt', 'b\\Lpt² .c', 'clock$:x'],
  made: fc.oneof(textOfWords(words, 8), textOfWords(words, 200)),
  attack(name) {
    const shown = shownName(name);
    mustHold(
      shown.length <= 1300 && !/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u.test(shown),
      'what is shown is long, or hides something',
    );
    if (nameTraitOf(name) !== null) return;
    for (const { join, resolve, sep } of [posix, win32]) {
      const root = resolve('/root/inner');
      const path = join(root, name);
      mustHold(path === root || path === `${root}${sep}` || path.startsWith(`${root}${sep}`), `it leads to ${path}`);
      mustHold(resolve(root, name).startsWith(root), `it leads to ${resolve(root, name)}`);
    }
    mustHold(!name.split(/[/\\]/).some(isAbove), 'Windows would take a part for the folder above');
    mustHold(!/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name), 'it hides something');
    mustHold(!name.split(/[/\\]/).some((part) => device.test(part)), 'it names a device');
  },
});
