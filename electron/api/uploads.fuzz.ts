import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { excerptCharacters } from '../base/redaction.ts';
import { facts, mustBeWithoutSecret, readOrFailed, replyInputs, replyOf } from './replies/reply-inputs.fixture.ts';
import { mostUploadItems, readUploadReply } from './uploads.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const names = ['files', 'Files', 'md5', 'MD5', 'error', 'message', 'code', 'filename', '0', '1', 'status'];
const sound = [
  { files: [{ md5, message: 'ok' }, { error: 'too large' }] },
  [{ md5 }],
  { files: { 0: { md5 }, 2: { error: { message: 'no', code: 'x' } } } },
  { error: 'not allowed' },
  [],
];

export const target = fuzzTarget({
  name: 'upload-reply',
  reads: 'the reply to `uploadfiles`',
  holds: 'lower-case MD5s or none, texts of bounded length, without the token',
  ...replyInputs(names, [md5, md5.toUpperCase(), 'x'.repeat(500), { message: 'x' }], sound),
  attack(text) {
    const read = readOrFailed(
      () => readUploadReply(replyOf(text), facts),
      ['empty-reply', 'html-reply', 'text-around-json', 'unreadable-reply', 'service-failed', 'request-refused'],
    );
    if (read === undefined) return;
    mustBeWithoutSecret(read);
    mustHold(read.items.length <= mostUploadItems, 'there are more than are read');
    for (const item of read.items) {
      mustHold(item.md5 === null || /^[0-9a-f]{32}$/.test(item.md5), 'it is no MD5');
      mustHold((item.error?.length ?? 0) <= excerptCharacters + '[secret]'.length, 'the words are too long');
    }
  },
});
