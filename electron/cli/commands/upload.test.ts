import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { fail } from '../../../shared/failure.ts';
import { type Answers, type Events, jobOf, type MemoryHost, runInMemory } from '../memory-run.fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-upload-'));
  await mkdir(join(folder, 'dropped/inner'), { recursive: true });
  for (const name of ['one.bin', 'two.bin', 'dropped/a.bin', 'dropped/inner/b.bin'])
    await writeFile(join(folder, name), name);
});
afterEach(() => rm(folder, { recursive: true }));

const hash = (id: number, length: number): string => String(id).padStart(length, '0');
const fileOf = (id: number, facts: Partial<UploadFile> = {}): UploadFile => ({
  id,
  parentId: null,
  name: `file-${id}`,
  path: '',
  sizeBytes: 1,
  md5: hash(id, 32),
  sha1: hash(id, 40),
  sha256: hash(id, 64),
  mime: null,
  strip: null,
  state: 'ready',
  sameAs: null,
  failure: null,
  archive: null,
  remarks: [],
  isTicked: false,
  tags: [],
  tlp: null,
  virusTotal: false,
  sandbox: false,
  presence: 'unasked',
  presenceFailure: null,
  ...facts,
});
const itemOf = (
  id: number,
  state: 'done' | 'already-here' | 'refused',
  failure = null as null | { kind: 'upload-refused'; service: 'repository'; address: string; text: string },
) => ({
  position: id,
  hash: hash(id, 64),
  md5: hash(id, 32),
  sha256: hash(id, 64),
  state,
  sizeBytes: 1,
  name: `file-${id}`,
  failure,
});

/** A draft in which a person has one file already. */
class Draft {
  files: UploadFile[] = [fileOf(1, { isTicked: true, name: 'of the person' })];
  refused = 0;
  items = [itemOf(2, 'done'), itemOf(3, 'already-here')];
  answers: Answers = {
    'uploads.add': ({ files }) => {
      const added = files.map((_file, at) => fileOf(this.files.length + 1 + at));
      this.files.push(...added);
      return { ids: added.map(({ id }) => id) };
    },
    'uploads.files': ({ offset, limit }) => ({
      files: this.files.slice(offset, offset + limit),
      total: this.files.length,
    }),
    'uploads.change': () => ({ changed: 0, refused: this.refused }),
    'uploads.remove': ({ target }) => {
      this.files = this.files.filter(({ id }) => target.kind === 'files' && !target.ids.includes(id));
      return {};
    },
    'uploads.send': () => jobOf({ kind: 'upload' }),
    'servers.actions': () => ({ mayUse: true, actions: [] }),
    'jobs.items': () => ({ items: this.items, total: this.items.length }),
  };
}

const run = (
  args: readonly string[],
  draft: Draft,
  more: Partial<MemoryHost> & { events?(events: Events): Answers } = {},
) =>
  runInMemory(
    ['upload', ...args.map((arg) => (arg.endsWith('.bin') || arg === 'dropped' ? join(folder, arg) : arg))],
    (events) => ({ ...more, answers: { ...draft.answers, ...more.events?.(events) } }),
  );

test('upload sends only the named files, with their own tags and comment, and leaves none in the draft', async () => {
  const draft = new Draft();
  const { code, lines, said, inputsOf } = await run(
    ['one.bin', 'two.bin', '--tag', ' Emotet ', '--tag', 'x', '--tlp', 'green', '--comment', 'seen'],
    draft,
  );
  expect(inputsOf('uploads.add')).toEqual([
    {
      workspaceId: 'team',
      files: [
        { id: 'staged:one.bin', path: '' },
        { id: 'staged:two.bin', path: '' },
      ],
      isTicked: false,
      archives: 'never',
    },
  ]);
  expect(inputsOf('uploads.change')).toEqual([
    {
      workspaceId: 'team',
      target: { kind: 'files', ids: [2, 3] },
      change: { addTags: ['emotet', 'x'], tlp: 'green', virusTotal: false, sandbox: false },
    },
  ]);
  expect(inputsOf('uploads.send')).toEqual([{ workspaceId: 'team', only: { ids: [2, 3], comment: 'seen' } }]);
  expect(draft.files.map(({ name }) => name)).toEqual(['of the person']);
  expect(lines).toEqual([
    `stored\t${hash(2, 32)}\t${join(folder, 'one.bin')}\t-`,
    `already-there\t${hash(3, 32)}\t${join(folder, 'two.bin')}\tnot sent: --tag, --tlp, --comment`,
  ]);
  expect([code, said]).toEqual([
    0,
    [
      'Sending to repo.example (Team)',
      '1 stored, 1 already there',
      expect.stringContaining('send a comment with "vitrine comment"'),
    ],
  ]);
});

test('upload does not advise a comment where the repository takes none', async () => {
  const { said } = await run(['one.bin', 'two.bin', '--comment', 'seen'], new Draft(), {
    events: () => ({
      'servers.actions': () => ({
        mayUse: true,
        actions: [{ service: 'repository', action: 'addcomment', state: 'absent', seen: null }],
      }),
    }),
  });
  expect(said.at(-1)).toBe(
    'Files already in the repository were skipped. Their tags and TLP are stored in the local library.',
  );
});

test('upload lists data that did not reach the repository with a file in JSON, only when there is some', async () => {
  const { json } = await run(['one.bin', 'two.bin', '--sandbox', '--json'], new Draft());
  expect(json).toMatchObject([
    { outcome: 'stored', notSent: [] },
    { outcome: 'already-there', notSent: ['sandbox'] },
  ]);
  expect((await run(['one.bin', 'two.bin'], new Draft())).said.at(-1)).toBe('1 stored, 1 already there');
});

test('upload takes all files below a folder and skips links', async () => {
  await symlink('a.bin', join(folder, 'dropped/link'));
  const { inputsOf, said } = await run(['dropped'], new Draft());
  expect(inputsOf('uploads.add')).toMatchObject([
    {
      files: [
        { id: 'staged:a.bin', path: 'dropped' },
        { id: 'staged:b.bin', path: 'dropped/inner' },
      ],
    },
  ]);
  expect(said[0]).toBe(`Skipped, not a regular file: ${join(folder, 'dropped/link')}`);
});

test.each(['amber', 'amber+strict', 'red'])(
  'files marked TLP:%s are refused before the upload when a third party would get them',
  async (tlp) => {
    const { code, asked, said } = await run(['one.bin', '--tlp', tlp, '--sandbox'], new Draft());
    expect([code, asked.map(({ name }) => name)]).toEqual([7, ['workspaces.list', 'workspaces.list']]);
    expect(said).toEqual([expect.stringContaining('Sandbox')]);
  },
);

test('upload also refuses files that the library knows as restricted, and removes them from the draft', async () => {
  const draft = new Draft();
  draft.refused = 1;
  const { code, inputsOf } = await run(['one.bin', '--virus-total'], draft);
  expect([code, inputsOf('uploads.send'), draft.files.length]).toEqual([7, [], 1]);
});

test('upload waits until the host has identified the files', async () => {
  let busy = 2;
  const { code, inputsOf } = await run(['one.bin', 'two.bin'], new Draft(), {
    events: ({ emit }) => ({
      'uploads.send': () => {
        if (busy-- === 0) return jobOf({ kind: 'upload' });
        queueMicrotask(() => emit('uploads.changed', { workspaceId: 'team' }));
        return fail({ kind: 'draft-busy', files: 1 });
      },
    }),
  });
  expect([code, inputsOf('uploads.send').length]).toEqual([0, 3]);
});

test('upload shows the outcome of every file, and the most severe one decides the exit code', async () => {
  const draft = new Draft();
  draft.items = [
    itemOf(2, 'refused', {
      kind: 'upload-refused',
      service: 'repository',
      address: 'https://repo.example',
      text: 'no',
    }),
  ];
  const { code, json } = await run(['one.bin', 'two.bin', '--json'], draft, {
    events: () => ({
      'uploads.files': ({ offset, limit }) => ({
        files: draft.files
          .map((file) => (file.id === 3 ? { ...file, state: 'empty' as const } : file))
          .slice(offset, offset + limit),
        total: 3,
      }),
    }),
  });
  expect(json).toMatchObject([
    { file: join(folder, 'one.bin'), outcome: 'refused', job: 7, failure: { kind: 'upload-refused' } },
    { outcome: 'empty', failure: { kind: 'file-empty' } },
  ]);
  expect(code).toBe(7);
});

const opened = { state: 'open', members: 1, failure: null, nameEncoding: null } as const;
const withArchive = (draft: Draft, archive: Partial<UploadFile> = {}, member: Partial<UploadFile> = {}): Answers => ({
  'uploads.add': () => {
    draft.files.push(
      fileOf(2, { name: 'z.zip', mime: 'application/zip', archive: opened, ...archive }),
      fileOf(3, { parentId: 2, name: 'm.bin', path: 'in', ...member }),
    );
    return { ids: [2] };
  },
});

test('upload opens an archive only on request', async () => {
  const draft = new Draft();
  const { inputsOf } = await run(['one.bin'], draft, {});
  expect([inputsOf('uploads.add'), inputsOf('uploads.send')]).toMatchObject([
    [{ archives: 'never' }],
    [{ only: { ids: [2] } }],
  ]);
});

test('upload --open-archives sends the members instead of the archive', async () => {
  const draft = new Draft();
  const { lines, inputsOf } = await run(['one.bin', '--open-archives'], draft, { events: () => withArchive(draft) });
  expect([inputsOf('uploads.send'), lines]).toMatchObject([
    [{ only: { ids: [3] } }],
    [expect.stringContaining('one.bin!in/m.bin')],
  ]);
  expect(inputsOf('uploads.add')).toMatchObject([{ archives: 'each', passwords: [], nameEncoding: null }]);
  expect(draft.files.map(({ id }) => id)).toEqual([1]);
});

test('an opened archive with remarks or a failure has a line of its own, and is not sent', async () => {
  const remarks: UploadFile['remarks'] = [{ kind: 'count-wrong', counted: 0, listed: 1 }];
  const cases: [Partial<UploadFile>, object][] = [
    [
      { remarks },
      { outcome: 'opened', failure: null, remarks: ['end record counts 0 members, the directory lists 1'] },
    ],
    [
      { archive: { ...opened, failure: { kind: 'archive-limit', name: 'z.zip', limit: 'members', value: 10_000 } } },
      { outcome: 'opened', failure: { kind: 'archive-limit' } },
    ],
  ];
  for (const [archive, outcome] of cases) {
    const draft = new Draft();
    const { json, code, inputsOf } = await run(['one.bin', '--open-archives', '--json'], draft, {
      events: () => withArchive(draft, archive),
    });
    expect([inputsOf('uploads.send'), json]).toMatchObject([
      [{ only: { ids: [3] } }],
      [{ file: join(folder, 'one.bin'), ...outcome }, { outcome: 'already-there' }],
    ]);
    expect(code).toBe(archive.archive === undefined ? 0 : 1);
  }
});

test('upload sends a program together with the members behind it', async () => {
  const draft = new Draft();
  const { inputsOf } = await run(['one.bin', '--open-archives'], draft, {
    events: () => withArchive(draft, { mime: 'application/x-msdownload' }),
  });
  expect(inputsOf('uploads.send')).toMatchObject([{ only: { ids: [2, 3] } }]);
});

test('the members of a program leave the draft with the command, even when the program was sent', async () => {
  const draft = new Draft();
  const program = withArchive(draft, { mime: 'application/x-msdownload' });
  const { inputsOf } = await run(['one.bin', '--open-archives'], draft, {
    events: () => ({
      ...program,
      'uploads.send': () => {
        draft.files = draft.files.flatMap((file) =>
          file.id === 2 ? [] : [file.parentId === 2 ? { ...file, parentId: null } : file],
        );
        return jobOf({ kind: 'upload' });
      },
    }),
  });
  expect(inputsOf('uploads.send')).toHaveLength(1);
  expect(draft.files.map(({ name }) => name)).toEqual(['of the person']);
});

test('upload --open-archives does not send an archive of an unsupported kind, and reports it', async () => {
  const draft = new Draft();
  const packed = {
    events: () => ({
      'uploads.files': ({ offset, limit }: { offset: number; limit: number }) => ({
        files: draft.files
          .map((file) => (file.id === 2 ? { ...file, mime: 'application/x-7z-compressed' } : file))
          .slice(offset, offset + limit),
        total: draft.files.length,
      }),
    }),
  };
  const { code, json, inputsOf } = await run(['one.bin', 'two.bin', '--open-archives', '--json'], draft, packed);
  expect(inputsOf('uploads.send')).toMatchObject([{ only: { ids: [3] } }]);
  expect([code, json]).toMatchObject([
    1,
    [
      { outcome: 'failed', failure: { kind: 'archive-unsupported', feature: 'the 7z format' } },
      { outcome: 'already-there' },
    ],
  ]);
  expect((await run(['one.bin', '--json'], draft, packed)).inputsOf('uploads.send')).toHaveLength(1);
});

test('upload reports when there is nothing to upload', async () => {
  const { code, said } = await run(['/dev/null'], new Draft());
  expect([code, said]).toEqual([3, ['Skipped, not a regular file: /dev/null', 'No files to upload']]);
});

test('upload skips links and reports them, unless they are requested', async () => {
  for (const [options, sent, said] of [
    [[], [2], 'left-out'],
    [['--links'], [2, 3], 'already-there'],
  ] as const) {
    const draft = new Draft();
    const link = withArchive(draft, { mime: null }, { remarks: [{ kind: 'link' }] });
    const { inputsOf, code, json } = await run(['one.bin', '--open-archives', '--json', ...options], draft, {
      events: () => link,
    });
    expect([code, inputsOf('uploads.send'), json[1]]).toMatchObject([0, [{ only: { ids: sent } }], { outcome: said }]);
  }
});

test('upload reads archive passwords from a file, one per line, and sends them with the files', async () => {
  await writeFile(join(folder, 'passwords'), 'Monday\r\n\nTuesday \n');
  const { inputsOf } = await run(
    [
      'one.bin',
      '--open-archives',
      '--archive-password-file',
      join(folder, 'passwords'),
      '--archive-names',
      'shift_jis',
    ],
    new Draft(),
    {},
  );
  expect(inputsOf('uploads.add')).toMatchObject([{ passwords: ['Monday', 'Tuesday '], nameEncoding: 'shift_jis' }]);
  const wrong = await run(['one.bin', '--archive-password-file', join(folder, 'passwords')], new Draft(), {});
  expect([wrong.code, wrong.inputsOf('uploads.add')]).toEqual([2, []]);
  expect((await run(['one.bin', '--open-archives', '--archive-names', 'klingon'], new Draft(), {})).code).toBe(2);
});

test('upload finds all members of its archives when those of other archives come before them', async () => {
  const draft = new Draft();
  let reads = 0;
  const { code, lines, inputsOf } = await run(['one.bin', 'two.bin'], draft, {
    events: () => ({
      'uploads.files': ({ offset, limit }) => {
        reads += 1;
        if (reads === 2 || reads === 5)
          draft.files.unshift(...Array.from({ length: 1500 }, (_, at) => fileOf(reads * 10_000 + at, { parentId: 1 })));
        return { files: draft.files.slice(offset, offset + limit), total: draft.files.length };
      },
    }),
  });
  expect([code, inputsOf('uploads.send'), lines.length]).toMatchObject([0, [{ only: { ids: [2, 3] } }], 2]);
});

test('upload does not read a constantly changing draft forever', async () => {
  const draft = new Draft();
  let total = 0;
  const { code, inputsOf } = await run(['one.bin'], draft, {
    events: () => ({ 'uploads.files': () => ({ files: [], total: (total += 1) }) }),
  });
  expect([code, inputsOf('uploads.send')]).toEqual([1, []]);
});

test('a file that left the draft before it was sent is a failure', async () => {
  const draft = new Draft();
  const { code, json } = await run(['one.bin', 'two.bin', '--json'], draft, {
    events: () => ({
      'uploads.files': ({ offset, limit }) => ({
        files: draft.files.filter(({ id }) => id !== 3).slice(offset, offset + limit),
        total: draft.files.length - 1,
      }),
    }),
  });
  expect([code, json]).toMatchObject([
    1,
    [
      { outcome: 'stored' },
      { file: join(folder, 'two.bin'), outcome: 'failed', failure: { kind: 'upload-file-missing' } },
    ],
  ]);
});

test('Ctrl-C during the reading of files removes them from the draft, and nothing is sent', async () => {
  const draft = new Draft();
  const interrupt = new AbortController();
  const { code, inputsOf } = await run(['one.bin'], draft, {
    interrupt,
    events: () => ({
      'uploads.files': (input: OperationInput<'uploads.files'>) => {
        interrupt.abort();
        return {
          files: draft.files
            .map((file) => ({ ...file, state: 'hashing' as const }))
            .slice(input.offset, input.offset + input.limit),
          total: draft.files.length,
        };
      },
    }),
  });
  expect([code, inputsOf('uploads.send'), draft.files.map(({ id }) => id)]).toEqual([130, [], [1]]);
});

test('upload ends with 3 for a missing file, and with 2 without any file', async () => {
  expect((await run(['gone.bin'], new Draft())).code).toBe(3);
  expect((await run([], new Draft())).code).toBe(2);
  expect((await run(['one.bin', '--tlp', 'purple'], new Draft())).code).toBe(2);
});
