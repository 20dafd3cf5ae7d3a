import fc from 'fast-check';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { failureSchema } from '../../../shared/failure-kinds.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { choiceForm, pairForm, textForm } from '../../../shared/testing/input-forms.ts';
import { facts, mustBeWithoutSecret, replyInputs, replyOf, secret } from '../replies/reply-inputs.fixture.ts';
import { readRetryAfter } from './client.ts';
import { failureOfReply, failureOfTarget } from './failures.ts';

const inputs = replyInputs(
  ['error', 'code', 'message'],
  ['unknown-hash', 'unknown-action', 'bad-route', 'x'.repeat(400)],
  [{ error: { code: 'unknown-hash', message: 'no' } }, { error: 'text' }],
);
const statuses = [
  100, 199, 204, 300, 302, 308, 400, 401, 403, 404, 405, 406, 407, 413, 414, 429, 431, 451, 500, 503, 599, 999,
] as const;
const headerWords = [
  'https://',
  'http://',
  '//',
  'x.example',
  'user:',
  '@',
  '/login?token=',
  secret,
  'javascript:',
  'data:',
  '#',
  '\\',
  '%',
  '120',
  'Wed, 21 Oct 2026 07:28:00 GMT',
  '-1',
  '1e9',
  '9'.repeat(12),
];
const headers = textForm(headerWords);
const headerSeeds = ['https://x.example/login', '120', `/a?token=${secret}`, 'Wed, 21 Oct 2026 07:28:00 GMT'];
const madeHeader = fc.array(fc.constantFrom(...headerWords), { maxLength: 6 }).map((words) => words.join(''));

export const target = fuzzTarget({
  name: 'refusal',
  reads: 'an error reply: status, body, `Location`, `Retry-After`, `WWW-Authenticate`',
  holds: 'a known failure with a sentence, without the token and without the query of a redirect',
  form: pairForm(pairForm(inputs.form, headers), choiceForm(statuses)),
  seeds: headerSeeds.flatMap(
    (header) =>
      [
        [[inputs.seeds[0] ?? '', header], 302],
        [[inputs.seeds[1] ?? '', header], 429],
      ] as const,
  ),
  made: fc.tuple(fc.tuple(inputs.made, madeHeader), fc.constantFrom(...statuses)),
  attack([[text, header], status]) {
    const reply = {
      ...replyOf(text, status),
      location: header,
      retryAfterSeconds: readRetryAfter(header, 0),
      challenge: header,
      loginSent: header.length % 2 === 0,
    };
    for (const read of [failureOfReply, failureOfTarget]) {
      const said = read(reply, { ...facts, hashes: ['a'.repeat(32)] });
      mustHold(failureSchema.safeParse(said).success, `the catalogue does not take ${said.kind}`);
      mustBeWithoutSecret(said);
      mustBeWithoutSecret(sentenceFor(said));
      if (said.kind === 'redirected' || said.kind === 'redirect-refused')
        mustHold(!/[?#]/.test(said.target), 'it says more of a redirect than its path');
    }
  },
});
