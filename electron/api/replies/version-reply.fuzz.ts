import fc from 'fast-check';
import type { ReplyMapping } from '../../../shared/domain/publication.ts';
import type { Json } from '../../../shared/domain/sample.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { choiceForm, pairForm } from '../../../shared/testing/input-forms.ts';
import { readJsonReply } from './json-reply.ts';
import { facts, readOrFailed, replyInputs, replyOf } from './reply-inputs.fixture.ts';
import { readVersionReply } from './version-reply.ts';

const names = [
  'outdated',
  'is_outdated',
  'update_available',
  'up_to_date',
  'latest',
  'last_version',
  'version',
  'id',
  'publication',
  'publication_id',
  'package',
  'data',
  'result',
  'a/b',
  'm~n',
];
const sound: Json[] = [
  { outdated: true, last_version: '1.4', id: 7 },
  { publication: { version: '1.4', id: '7', outdated: 'no' } },
  { data: { result: { latest: true } } },
  { up_to_date: 1, latest: '2.0' },
];
const mappings: (ReplyMapping | null)[] = [
  null,
  { outdated: '/outdated', version: '/a~1b', id: '/m~0n/0' },
  { outdated: '', version: '/data/version', id: '/~2' },
  { outdated: '/up_to_date', version: null, id: '/data/-1' },
];
const inputs = replyInputs(names, ['1.4', 'yes', 'no', '\u202e1', '1\u2028.4', 'x'.repeat(250), 1.4, 2 ** 60], sound);

export const target = fuzzTarget({
  name: 'version-reply',
  reads: 'the reply to `checkpackageversion`, with a mapping or without',
  holds: 'a version and an id of at most 200 printable characters, or none',
  form: pairForm(inputs.form, choiceForm(mappings)),
  seeds: inputs.seeds.map((seed) => [seed, null] as const),
  made: fc.tuple(inputs.made, fc.constantFrom(...mappings)),
  attack([text, mapping]) {
    const json = readOrFailed(
      () => readJsonReply(replyOf(text), facts),
      ['empty-reply', 'html-reply', 'text-around-json', 'unreadable-reply', 'service-failed'],
    );
    if (json === undefined) return;
    const read = readVersionReply(json, mapping);
    mustHold(read.outdated === null || typeof read.outdated === 'boolean', 'outdated is neither');
    for (const word of [read.version, read.id])
      mustHold(
        word === null || (word.length > 0 && word.length <= 200 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(word)),
        `it gives ${JSON.stringify(word)}`,
      );
  },
});
