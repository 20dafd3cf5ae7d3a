import { afterEach, describe, expect, it } from 'vitest';
import type { LabPublication } from '../../shared/domain/lab.ts';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { errorOf, failureOf } from './failure-of.fixture.ts';
import { createLabPublisher, type LabPublisher } from './lab-publisher-api.ts';
import { afterBody, formIn, sourceOf } from './post.fixture.ts';
import {
  connectionTo,
  httpReply,
  onceOnly,
  type Script,
  type ScriptedServer,
  startScripted,
} from './scripted-server.fixture.ts';

const published: LabPublication = {
  id: 'p1',
  version: '1.4',
  group: 'Test',
  published: '2026-01-01T00:00:00Z',
  files: 2,
  rules: 3,
};
const broken: BrokenRule = { rule: 'x', file: 'a/b.yar', line: 3, kind: 'engine', text: 'syntax error' };
const to = { version: '1.4', group: 'Test' } as const;
const fileOf = (path: string, text: string) => ({
  path,
  sizeBytes: text.length,
  open: () => sourceOf(() => [Buffer.from(text)]).open(),
});
let server: ScriptedServer;
afterEach(() => server.close());

async function serve(script: Script): Promise<LabPublisher> {
  server = await startScripted(script);
  return createLabPublisher(connectionTo(server.origin, { service: 'rule-editor' }), onceOnly);
}
const answering = (status: number, body: unknown): Script =>
  afterBody((socket) => socket.end(httpReply(status, JSON.stringify(body))));

describe('the lab’s publications', () => {
  it('are listed', async () => {
    const lab = await serve((socket) => socket.end(httpReply(200, JSON.stringify({ publications: [published] }))));
    expect(await lab.publications()).toEqual([published]);
    expect(server.heads[0]).toContain('GET /api.php?action=publications&token=');
  });

  it.each([{}, [], { publications: [{ id: 1 }] }])('are not read from %j', async (body) => {
    const lab = await serve((socket) => socket.end(httpReply(200, JSON.stringify(body))));
    expect(await failureOf(() => lab.publications())).toMatchObject({
      kind: 'unreadable-reply',
      service: 'rule-editor',
      text: JSON.stringify(body),
    });
  });
});

describe('publishing', () => {
  it('sends each file under its path in the package, after version and group', async () => {
    let form = Promise.resolve(new FormData());
    const lab = await serve(
      afterBody((socket, head, body) => {
        form = formIn(head, body);
        socket.end(httpReply(201, JSON.stringify({ published, broken: [] })));
      }),
    );
    expect(await lab.publish([fileOf('a/b.yar', 'rule b {}'), fileOf('a/ü c.yar', 'rule c {}')], to)).toEqual({
      published,
      broken: [],
    });
    expect(server.heads[0]).toMatch(/^POST \/api\.php\?action=publish&token=/);
    const entries = await Promise.all(
      [...(await form)].map(async ([name, value]) =>
        typeof value === 'string' ? [name, value] : [name, value.name, await value.text()],
      ),
    );
    expect(entries).toEqual([
      ['version', '1.4'],
      ['group', 'Test'],
      ['files[]', 'a/b.yar', 'rule b {}'],
      ['files[]', 'a/ü c.yar', 'rule c {}'],
    ]);
  });

  it('reports the broken rules that prevent it', async () => {
    const lab = await serve(answering(200, { published: null, broken: [broken] }));
    expect(await lab.publish([fileOf('a/b.yar', 'rule')], to)).toEqual({ published: null, broken: [broken] });
  });

  it.each<[number, unknown, object]>([
    [
      409,
      { error: { code: 'version-taken', message: 'Version 1.4 is taken' } },
      { kind: 'request-refused', status: 409, text: 'Version 1.4 is taken' },
    ],
    [403, { error: { code: 'right-missing', message: 'No right' } }, { kind: 'forbidden', text: 'No right' }],
    [200, { published: true, broken: [] }, { kind: 'unreadable-reply' }],
  ])('fails when answered with %i %j', async (status, body, failure) => {
    const lab = await serve(answering(status, body));
    expect(await failureOf(() => lab.publish([fileOf('a.yar', 'rule a {}')], to))).toMatchObject(failure);
  });

  it('may have arrived when its reply is lost', async () => {
    const lab = await serve(afterBody((socket) => socket.destroy()));
    expect(await failureOf(() => lab.publish([fileOf('a.yar', 'rule a {}')], to))).toMatchObject({
      kind: 'may-have-arrived',
      action: 'publish',
    });
  });

  it('ends with the error that a file’s source throws', async () => {
    const lab = await serve(() => {});
    const gone = new RangeError('gone');
    const file = {
      path: 'a.yar',
      sizeBytes: 1,
      open: () =>
        sourceOf(() => {
          throw gone;
        }).open(),
    };
    expect(await errorOf(() => lab.publish([file], to))).toBe(gone);
  });
});
