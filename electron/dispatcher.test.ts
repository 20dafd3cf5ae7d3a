import { expect, test } from 'vitest';
import { type Handlers, isOperationName, type OperationName, operations } from '../shared/contract.ts';
import { defaultTimeouts } from '../shared/domain/workspace.ts';
import { fail } from '../shared/failure.ts';
import { sentenceFor } from '../shared/failure-sentences.ts';
import { createDispatcher } from './dispatcher.ts';

const names = Object.keys(operations).filter(isOperationName);
const unasked = () => expect.fail('no handler is asked with an input that was refused');
const dispatch = createDispatcher(new Proxy({} as Handlers, { get: () => unasked }), (_id, _operation, error) =>
  expect.fail(String(error)),
);

/** What the person reads of an input that was refused; null when it was not. */
async function refusalOf(name: OperationName, input: unknown): Promise<string | null> {
  if (operations[name].input.safeParse(input).success) return null;
  const result = await dispatch(name, input);
  return result.ok ? expect.fail('it was taken') : sentenceFor(result.failure).then;
}

const wrong: readonly unknown[] = [
  null,
  undefined,
  true,
  -1,
  1.5,
  1e9,
  Number.NaN,
  'x'.repeat(5000),
  '',
  '\0',
  [],
  ['x'],
  Array.from({ length: 6000 }, () => 'x'),
  {},
  { kind: 'other' },
  { form: 'other' },
];

test('the dispatcher reports each failure that it returns, an internal error by its id', async () => {
  const reported: string[] = [];
  const broken = new Proxy({} as Handlers, {
    get: (_target, name) => () => (name === 'jobs.list' ? Promise.reject(new Error('x')) : fail({ kind: 'no-hash' })),
  });
  const logged: string[] = [];
  const failing = createDispatcher(broken, (id) => void logged.push(id), {
    requireReady: () => {},
    onFailure: (name, failure) =>
      void reported.push(`${name} ${failure.kind === 'unexpected' ? failure.id : failure.kind}`),
  });
  await failing('views.list', {});
  await failing('jobs.list', {});
  await failing('jobs.pause', { id: 'x' });
  await failing('nothing.such', {});
  expect(reported).toEqual(['views.list no-hash', `jobs.list ${logged[0] ?? ''}`, 'jobs.pause bad-input']);
});

test.each(names)('the refusal of invalid input by %s uses Vitrine’s own messages', async (name) => {
  const { input } = operations[name];
  const fields = Object.keys('shape' in input ? input.shape : {});
  for (const whole of [null, 7, {}, ...fields.flatMap((field) => wrong.map((value) => ({ [field]: value })))]) {
    expect((await refusalOf(name, whole)) ?? '').not.toMatch(
      /invalid|received|too (?:small|big)|[<>]=|undefined|\bNaN\b|unrecognized|match pattern/i,
    );
  }
});

test.each([
  ['bulkUrlBytes', 1.5, 'a whole number of bytes from 512 to 65,536'],
  ['bulkUrlBytes', 'x', 'a whole number of bytes from 512 to 65,536'],
  ['bulkConnections', 9, 'a whole number from 1 to 8'],
  ['uploadFiles', 0, 'a whole number of files from 1 to 100'],
  ['uploadMebibytes', null, 'a whole number of MiB from 1 to 16,384'],
  ['scanSeconds', 601, 'a whole number of seconds from 1 to 600'],
  ['theme', 'blue', 'system, light or dark'],
  ['exportEncryption', '', 'aes-256 or zipcrypto'],
  ['scanEngine', 1, 'auto, native or wasm'],
  ['notifications', 'yes', 'on or off'],
  ['exportPassword', 7, 'a password'],
])('the refusal of a setting %s of %j names the accepted values', async (name, value, words) => {
  expect(await refusalOf('settings.change', { [name]: value })).toBe(`${name}: expected ${words}`);
});

const draft = {
  name: 'Team',
  repository: null,
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
};

test.each([
  [
    'timeouts.connectSeconds',
    { timeouts: { ...defaultTimeouts, connectSeconds: 0 } },
    'a number of seconds from 1 to 300',
  ],
  [
    'timeouts.idleSeconds',
    { timeouts: { ...defaultTimeouts, idleSeconds: 'x' } },
    'a number of seconds from 1 to 3,600',
  ],
  ['timeouts', { timeouts: 7 }, 'three numbers of seconds'],
  ['trust.kind', { trust: { kind: 'ignore' } }, 'system, authority or pin'],
  ['trust.pem', { trust: { kind: 'authority', pem: '' } }, 'the certificate as PEM text'],
  [
    'repository.token.kind',
    { repository: { baseUrl: 'https://a.example', token: { kind: 'see' } } },
    'keep, set or clear',
  ],
  ['name', { name: 7 }, 'a name'],
])('the refusal of a workspace’s %s names the accepted values', async (path, change, words) => {
  expect(await refusalOf('workspaces.add', { ...draft, ...change })).toBe(`${path}: expected ${words}`);
});
