import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { choiceForm, pairForm } from '../../shared/testing/input-forms.ts';
import { readCommentReply } from './comments.ts';
import { facts, mustBeWithoutSecret, readOrFailed, replyInputs, replyOf } from './replies/reply-inputs.fixture.ts';

const inputs = replyInputs(
  ['id', 'ID', 'comment', 'error', 'code', 'message'],
  ['12', 12, 'x'.repeat(300), { id: 3 }],
  [{ id: 12 }, { error: { code: 'x', message: 'y' } }, { id: 'a-b' }],
);
const statuses = [200, 201] as const;

export const target = fuzzTarget({
  name: 'comment-reply',
  reads: 'the reply to `addcomment`',
  holds: 'an id of at most 256 characters, or none; with 201, only a web page or an error is rejected; no token',
  form: pairForm(inputs.form, choiceForm(statuses)),
  seeds: inputs.seeds.flatMap((seed) => statuses.map((status) => [seed, status] as const)),
  made: fc.tuple(inputs.made, fc.constantFrom(...statuses)),
  attack([text, status]) {
    const kinds = [
      'html-reply',
      'request-refused',
      ...(status === 200 ? (['empty-reply', 'text-around-json', 'unreadable-reply', 'service-failed'] as const) : []),
    ] as const;
    const read = readOrFailed(() => readCommentReply(replyOf(text, status), facts), kinds);
    if (read === undefined) return;
    mustBeWithoutSecret(read);
    mustHold((read.id?.length ?? 0) <= 256 + '[secret]'.length, 'the id is too long');
  },
});
