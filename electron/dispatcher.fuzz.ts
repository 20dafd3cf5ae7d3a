import fc from 'fast-check';
import { type Handlers, type OperationName, operations } from '../shared/contract.ts';
import type { Json } from '../shared/domain/sample.ts';
import { failureSchema } from '../shared/failure-kinds.ts';
import { changedJson, jsonOfNames } from '../shared/testing/changed-json.ts';
import { fuzzTarget, mustHold } from '../shared/testing/fuzz-target.ts';
import { choiceForm, pairForm, textForm } from '../shared/testing/input-forms.ts';
import { inputsOf } from '../shared/testing/schema-inputs.ts';
import { createDispatcher } from './dispatcher.ts';

const known = Object.keys(operations) as OperationName[];
const asked: readonly string[] = [...known, 'nothing.there', '__proto__', 'constructor', ''];
const names = [
  'workspaceId',
  'md5',
  'sha256',
  'sha1',
  'hash',
  'id',
  'ids',
  'jobId',
  'name',
  'text',
  'query',
  'terms',
  'field',
  'negated',
  'match',
  'kind',
  'value',
  'offset',
  'limit',
  'order',
  'by',
  'direction',
  'selection',
  'files',
  'staged',
  'tags',
  'tlp',
  'note',
  'comment',
  'content',
  'parentId',
  'password',
  'passphrase',
  'baseUrl',
  'token',
  'timeouts',
  'trust',
  'settings',
  'version',
  'rule',
  'rules',
  'from',
  'until',
  'least',
  'most',
  'path',
  'folder',
  'format',
  'destination',
  'state',
  'pattern',
  'title',
  'author',
];
const values: Json[] = [
  '44d88612fea8a8f36de82e1278abb02f',
  'a'.repeat(40),
  'b'.repeat(64),
  'A'.repeat(32),
  'lab',
  '550e8400-e29b-41d4-a716-446655440000',
  'x'.repeat(5000),
  `${'a'.repeat(3000)}!`,
  '2026-11-05T10:30:00.000Z',
  '0'.repeat(3000),
  ' '.repeat(3000),
  'https://x.example',
  '../x',
  '/etc/passwd',
  'keep',
  'set',
  'all',
  'exact',
  'tag',
  'red',
  1000,
  2 ** 53,
  -1,
];
/** Texts for any field: what a person types, what is none of it, and what lies beside it. */
const texts = [
  'a text',
  'a,b',
  ' ',
  '',
  '\u202e',
  'a\u2028b',
  '\ud800',
  'e\u0301',
  'x'.repeat(300),
  ...values.filter((value) => typeof value === 'string'),
];
const takenBy = new Map(known.map((name) => [name, inputsOf(operations[name].input, texts)]));
/** What an operation takes, or nearly, as it is and with a few places changed. */
const taken = fc.constantFrom(...takenBy).chain(([name, inputs]) =>
  fc.tuple(
    fc.oneof(
      inputs,
      inputs.chain((input) => changedJson([input], names, values)),
    ),
    fc.constant(name),
  ),
);
const anything = fc.tuple(jsonOfNames(names, values), fc.constantFrom(...asked));
const form = {
  ...textForm(['{', '}', '"', ':']),
  changed: (from: readonly string[]) =>
    changedJson(
      from.map((text) => JSON.parse(text) as Json),
      names,
      values,
    ).map((json) => JSON.stringify(json)),
};

/** Whatever an operation is asked for, the answer is none that it promised: that is a defect, and has an id. */
const handlers = new Proxy({}, { get: () => async () => Symbol('no answer') }) as Handlers;
const dispatch = createDispatcher(handlers, () => {});

export const target = fuzzTarget({
  name: 'operations',
  reads: 'a call of the page or a command: any name, any input',
  holds: 'a known failure; at most 80 characters of an unknown name, at most 20 issues',
  form: pairForm(form, choiceForm(asked)),
  seeds: asked
    .slice(0, 12)
    .map((name) => ['{"workspaceId":"lab","md5":"44d88612fea8a8f36de82e1278abb02f"}', name] as const),
  made: fc
    .oneof({ weight: 5, arbitrary: taken }, { weight: 1, arbitrary: anything })
    .map(([input, name]) => [JSON.stringify(input), name] as const),
  async attack([text, name]) {
    const result = await dispatch(name, JSON.parse(text));
    if (result.ok) return;
    mustHold(failureSchema.safeParse(result.failure).success, `the catalogue does not take ${result.failure.kind}`);
    mustHold(JSON.stringify(result).length < 100_000, 'the answer repeats what was asked');
    if (result.failure.kind === 'bad-input') mustHold(result.failure.issues.length <= 20, 'there are too many issues');
  },
});
