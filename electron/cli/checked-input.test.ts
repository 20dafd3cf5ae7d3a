import { expect, test } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { runInMemory } from './memory-run.fixture.ts';

const hash = '44d88612fea8a8f36de82e1278abb02f';
const long = 'x'.repeat(300);

test.each([
  [['library', 'tag', 'name:a', '--add', ''], '--add: expected a tag'],
  [['library', 'tag', 'name:a', '--add', 'ok', '--remove', 'a,b'], '--remove: expected a tag without a comma'],
  [['upload', 'x.bin', '--tag', 'a,b'], '--tag: expected a tag without a comma'],
  [['upload', 'x.bin', '--comment', 'x'.repeat(100_001)], '--comment: expected at most 100,000 characters'],
  [['workspace', 'add', ' ', '--repository', 'https://a.example'], 'NAME: expected a name'],
  [
    ['workspace', 'add', 'A', '--repository', 'https://a.example', '--pin', 'zz'],
    '--pin: expected a SHA-256 fingerprint: 64 hexadecimal characters',
  ],
  [['workspace', 'edit', 'Team', '--rename', ''], '--rename: expected a name'],
  [['comment', hash, 'x'.repeat(100_001)], 'TEXT: expected at most 100,000 characters'],
  [['comment', hash, 'x', '--reply-to', long], '--reply-to: expected an identifier of at most 256 characters'],
  [['bundle', 'write', 'a', '--title', 'a\nb', '--author', 'A', '--out', '.'], '--title: expected a title on one line'],
  [['hunt', '--rule', ''], '--rule: expected at least 1 character'],
  [['journal', '--find', long], '--find: expected at most 200 characters'],
  [['rules', 'install', 'x.yar', '--version-name', long], '--version-name: expected 1 to 200 characters'],
])('%j: a refused value is named by its option or argument before any work starts', async (args, sentence) => {
  const { code, asked, said } = await runInMemory(args, () => ({ answers: {} }));
  const names = asked.map(({ name }) => name).filter((name) => name !== 'workspaces.list');
  expect([code, names, said[0]]).toEqual([2, [], expect.stringContaining(sentence)]);
});

test.each([
  ['selection.tag', 'Invalid argument: expected a tag.'],
  ['change.replyTo.0', 'Invalid --reply-to: expected a tag.'],
])('input refused by an operation is not named by an internal path: %s', async (path, sentence) => {
  const { code, said } = await runInMemory(['comment', hash, '--list'], () => ({
    answers: {
      'samples.lookup': () =>
        fail({ kind: 'bad-input', operation: 'samples.lookup', issues: [{ path, message: 'a tag' }] }),
    },
  }));
  expect([code, said]).toEqual([2, [sentence]]);
});
