import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LabPublication } from '../../shared/domain/lab.ts';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { labWorkspaceId } from '../../shared/domain/workspace.ts';
import { afterBody, formIn } from '../api/post.fixture.ts';
import { connectionTo, httpReply, startScripted } from '../api/scripted-server.fixture.ts';
import { openStaging } from '../vault/staging.ts';
import { Publishing } from './publishing.ts';

const published: LabPublication = {
  id: 'p1',
  version: '1.4',
  group: 'Release',
  published: '2026-01-01T00:00:00Z',
  files: 1,
  rules: 1,
};
const broken: BrokenRule = { rule: 'x', file: 'a/b.yar', line: 3, kind: 'engine', text: 'syntax error' };

test('files from the page stay while a rule is broken, and are removed once published at the lab', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-publishing-'));
  const staging = await openStaging(folder);
  const sent: unknown[] = [];
  const answers = [
    { published: null, broken: [broken] },
    { published, broken: [] },
  ];
  const answer = async (socket: Socket, form: FormData): Promise<void> => {
    sent.push(
      await Promise.all(
        [...form].map(async ([name, value]) =>
          typeof value === 'string' ? [name, value] : [name, value.name, await value.text()],
        ),
      ),
    );
    socket.end(httpReply(200, JSON.stringify(answers.shift())));
  };
  const lab = await startScripted(
    afterBody((socket, head, body) => void formIn(head, body).then(async (form) => answer(socket, form))),
  );
  onTestFinished(async () => {
    await lab.close();
    await staging.close();
    await rm(folder, { recursive: true });
  });
  const asked: string[][] = [];
  const publishing = new Publishing({
    staging,
    connect: async (...to) => (asked.push(to), connectionTo(lab.origin, { service: 'rule-editor' })),
  });

  const { id } = await staging.stageStream(
    'b.yar',
    (async function* () {
      yield Buffer.from('rule b {}');
    })(),
  );
  const wanted = { files: [{ id, path: 'a/b.yar' }], version: '1.4', group: 'Release' as const };
  expect(await publishing.publish(wanted)).toEqual({ published: null, broken: [broken] });
  expect(await staging.check(id)).toBe('there');
  expect(await publishing.publish(wanted)).toEqual({ published, broken: [] });
  expect(await staging.check(id)).toBe('gone');
  const form = [
    ['version', '1.4'],
    ['group', 'Release'],
    ['files[]', 'a/b.yar', 'rule b {}'],
  ];
  expect([asked, sent]).toEqual([
    [
      [labWorkspaceId, 'rule-editor'],
      [labWorkspaceId, 'rule-editor'],
    ],
    [form, form],
  ]);
});
