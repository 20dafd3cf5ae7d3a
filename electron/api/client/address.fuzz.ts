import fc from 'fast-check';
import { FailureError } from '../../../shared/failure.ts';
import { textOfWords } from '../../../shared/testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { textForm } from '../../../shared/testing/input-forms.ts';
import { checkAddress } from './address.ts';

const longestTyped = 2048;
const words = [
  'https://',
  'http://',
  'HTTPS://',
  'https:',
  '//',
  '/',
  '\\',
  '@',
  ':',
  '?',
  '#',
  '[',
  ']',
  '::1',
  '::ffff:',
  '127.0.0.1',
  '127.1',
  '12.0.0.1',
  '128.0.0.1',
  '126.255.255.255',
  '0x7f.1',
  '2130706433',
  'localhost',
  'localhost.',
  'repo.example',
  'xn--e1afmkfd',
  'пример',
  '１２７.0.0.1',
  '。',
  ':443',
  ':80',
  ':99999',
  'user',
  ':pass',
  'api.php',
  '/api.php',
  '/API.PHP/',
  '%2e%2e',
  '..',
  '.',
  '%00',
  '%',
  '?token=',
  'javascript:',
  'file:///',
  'ftp://',
];

export const target = fuzzTarget({
  name: 'address',
  reads: 'the address of a service, typed or received',
  holds:
    'http or https, no user, no query, no fragment; parsing it again gives the same; plain http only to this ' +
    'computer unless allowed',
  form: textForm(words),
  seeds: [
    'https://repo.example:8443/base/api.php',
    'http://127.0.0.1:8080/repository',
    'http://[::1]:1/',
    'https://пример.example/a%20b',
  ],
  made: fc.oneof(
    textOfWords(words, 8),
    textOfWords(words, 6).map((rest) => `https://${rest}`),
    textOfWords(words, 6).map((rest) => `http://${rest}`),
  ),
  attack(typed) {
    // As the contract lets it in.
    const text = typed.slice(0, longestTyped);
    for (const allowHttp of [true, false]) {
      const address = checked(text, allowHttp);
      if (address === null) continue;
      const url = new URL(address);
      mustHold(url.protocol === 'https:' || url.protocol === 'http:', 'it is another scheme');
      mustHold(
        url.username === '' &&
          url.password === '' &&
          url.search === '' &&
          url.hash === '' &&
          !/[?#@]/.test(new URL(address).host),
        'there is more in it than a place',
      );
      mustHold(
        allowHttp || url.protocol === 'https:' || /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(url.hostname),
        'it is sent in clear',
      );
      mustHold(checked(address, allowHttp) === address, `${JSON.stringify(address)} is read as something else`);
      mustHold(new URL(`${address}/api.php`).origin === url.origin, 'what is put behind it leads elsewhere');
    }
  },
});

function checked(text: string, allowHttp: boolean): string | null {
  try {
    return checkAddress(text, { allowHttp });
  } catch (error) {
    if (error instanceof FailureError && ['address-invalid', 'http-not-allowed'].includes(error.failure.kind))
      return null;
    throw error;
  }
}
