import fc from 'fast-check';
import { textOfWords } from '../../shared/testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { textForm } from '../../shared/testing/input-forms.ts';
import { md5List, readTarget } from './action.ts';
import { LabError } from './errors.ts';
import { readDisposition } from './multipart.ts';

const words = [
  'form-data',
  ';',
  '; ',
  'name',
  'filename',
  'filename*',
  '=',
  '"',
  '\\',
  '\\"',
  '\\\\',
  'a',
  'ü',
  '%22',
  '%0d%0a',
  '%25',
  '%',
  ' ',
  '\t',
  "UTF-8''",
  '?',
  '&',
  '/',
  'hash',
  'hash[]',
  '44d88612fea8a8f36de82e1278abb02f',
  '44D88612FEA8A8F36DE82E1278ABB02F',
  '[]',
  '#',
  '+',
];

export const target = fuzzTarget({
  name: 'lab-head',
  reads: 'client input of the lab: the headers of a form part, the target of a request',
  holds: 'names as written, or a refusal; browser encodings of names are read back; each hash once, in lower case',
  form: textForm(words),
  seeds: [
    'form-data; name="a"; filename="b.exe"',
    'form-data; name=a; filename="a\\"',
    '/repository/api.php?action=getfile&hash[]=44d88612fea8a8f36de82e1278abb02f&x=%2',
    '/api.php?hash[]=44D88612FEA8A8F36DE82E1278ABB02F&hash[]=44d88612fea8a8f36de82e1278abb02f',
  ],
  made: fc.oneof(
    textOfWords(words, 12).map((rest) => `form-data; ${rest}`),
    textOfWords(words, 12).map((rest) => `/${rest}`),
    textOfWords(words, 300),
  ),
  attack(text) {
    const read = readDisposition([text]);
    mustHold(read === null || read.name.length <= text.length, 'a name is longer than what it was read of');
    mustRead(text);
    const name = text.slice(0, 300).toWellFormed().replace(/\\+$/, '');
    const written = Buffer.from(name)
      .toString('latin1')
      .replaceAll('\r', '%0D')
      .replaceAll('\n', '%0A')
      .replaceAll('"', '%22');
    if (/\\|%(?:0a|0d|22|25)/i.test(name)) return;
    mustHold(
      readDisposition([`form-data; name="files[]"; filename="${written}"`])?.fileName === name,
      'a name is read as another',
    );
  },
});

function mustRead(text: string): void {
  try {
    const { path, lists } = readTarget(text);
    mustHold(path.startsWith('/'), 'the path is none');
    const md5s = md5List(lists, 'hash');
    for (const md5 of md5s) mustHold(/^[0-9a-f]{32}$/.test(md5), 'it is no MD5');
    mustHold(new Set(md5s).size === md5s.length, 'one comes twice');
  } catch (error) {
    if (
      !(error instanceof LabError) ||
      !['bad-request', 'repeated-parameter', 'missing-parameter', 'bad-parameter'].includes(error.code)
    )
      throw error;
  }
}
