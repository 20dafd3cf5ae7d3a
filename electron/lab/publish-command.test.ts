import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { WrongArguments } from './command-line.ts';
import { killedAtChange } from './killed-at-change.fixture.ts';
import { NothingPublished, publishFiles } from './publish-command.ts';
import { UnreadableFile } from './readable-file.ts';
import { labCommand, startLabProcess, withDirectory } from './running-lab.fixture.ts';

const silent = { result: () => {}, remark: () => {}, report: () => {} };
const lastOne = z.object({ id: z.string(), last_version: z.string() });
const rule = (name: string): string => `rule ${name} { condition: true }\n`;

/** A stocked lab, and rules beside it; each test works on a copy. */
let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'vitrine-lab-template-'));
  await (await startLabProcess(join(template, 'data'))).stop();
  for (const folder of ['own', 'folder.yar']) await mkdir(join(template, 'rules', folder), { recursive: true });
  await writeFile(join(template, 'rules', 'a.yar'), rule('a'));
  await writeFile(join(template, 'rules', 'own', 'b.yar'), rule('b'));
  await writeFile(
    join(template, 'rules', 'broken.yar'),
    `${rule('fine')}rule bad { condition: $gone }\nrule needs_bad { condition: bad }\n`,
  );
  await writeFile(join(template, 'rules', 'notes.txt'), 'no rules');
});
afterAll(() => rm(template, { recursive: true, force: true }));

async function withStockedCopy(work: (data: string, rules: (name: string) => string) => Promise<void>): Promise<void> {
  await withDirectory(async (directory) => {
    await cp(join(template, 'data'), directory, { recursive: true });
    await work(directory, (name) => join(template, 'rules', name));
  });
}

test('publish stores local files under their paths from a folder, once, and only while no lab runs', async () => {
  await withStockedCopy(async (data, rules) => {
    const args = [
      'publish',
      '--version',
      '2.0',
      '--group',
      'Release',
      '--root',
      rules(''),
      rules('a.yar'),
      rules('own/b.yar'),
      '--data',
      data,
    ];
    expect(await labCommand(...args)).toEqual({
      code: 0,
      results: expect.stringMatching(/^[0-9a-f]{16} {2}2\.0\n$/),
      remarks: '',
    });
    expect(await labCommand(...args)).toEqual({
      code: 1,
      results: '',
      remarks: 'Version 2.0 is already published.\n',
    });
    const lab = await startLabProcess(data);
    expect(await (await lab.askRules('checkpackageversion', { version: '2.0' })).json()).toMatchObject({
      outdated: false,
      last_version: '2.0',
      group: 'Release',
    });
    expect(await labCommand(...args)).toEqual({
      code: 1,
      results: '',
      remarks: expect.stringMatching(
        new RegExp(
          /^The lab with the data in [^\n]+ is running, by itself or with Vitrine\. Stop it first, or publish to it, /
            .source + /in Vitrine under Publications or with a token that has the right publish\.\n$/.source,
        ),
      ),
    });
    await lab.stop();
  });
});

test('publish prints one line per broken rule and publishes nothing', async () => {
  await withStockedCopy(async (data, rules) => {
    const { code, results, remarks } = await labCommand(
      'publish',
      '--version',
      '2.0',
      '--group',
      'Test',
      rules('broken.yar'),
      '--data',
      data,
    );
    expect([code, results, remarks.trim().split('\n')]).toEqual([
      1,
      '',
      [
        expect.stringMatching(/^broken\.yar:2: bad: .+/),
        expect.stringMatching(/^broken\.yar:3: needs_bad: .+/),
        'Nothing was published: 2 broken.',
      ],
    ]);
  });
});

test('publish reads a folder and a ZIP with the same reader, and skips broken rules on request', async () => {
  await withStockedCopy(async (data, rules) => {
    const args = ['--version', '2.0', '--group', 'Release', rules(''), '--data', data];
    const refused = await labCommand('publish', ...args);
    expect([refused.code, refused.results]).toEqual([1, '']);
    const { code, results, remarks } = await labCommand('publish', '--leave-out-broken', ...args);
    expect([code, results]).toEqual([0, expect.stringMatching(/^[0-9a-f]{16} {2}2\.0\n$/)]);
    expect(remarks.trim().split('\n')).toEqual([
      'Other files skipped: 1',
      expect.stringMatching(/^broken\.yar:2: bad: .+/),
      expect.stringMatching(/^broken\.yar:3: needs_bad: .+/),
      'Skipped: 2 broken.',
    ]);
    const lab = await startLabProcess(data);
    expect(await (await lab.askRules('publications')).json()).toMatchObject({
      publications: [{ version: '2.0', files: 3, rules: 3 }, {}, {}],
    });
    await lab.stop();
  });
});

test.each([
  ['a file that is no rule file', ['notes.txt'], WrongArguments],
  ['two files of one name', ['a.yar', 'a.yar'], WrongArguments],
  ['a file that is not there', ['gone.yar'], UnreadableFile],
  ['a folder without rules', ['folder.yar'], NothingPublished],
])('publish refuses %s in one line, before it opens the lab', async (_title, names, refusal) => {
  const files = names.map((name) => ({ path: join(template, 'rules', name), name }));
  const refused = publishFiles(
    {
      kind: 'publish',
      version: '2.0',
      group: 'Test',
      files,
      leavesOutBroken: false,
      converts: false,
    },
    { stores: async () => expect.fail('it is opened'), metadata: async () => expect.fail('it is opened') },
    silent,
  );
  await expect(refused).rejects.toThrow(refusal);
  await expect(refused).rejects.toThrow(/^[^\n]{10,400}$/);
});

test.each([2, 8, 14])(
  'publish, killed at change %i, leaves a whole version or none, and nothing else',
  { tags: ['long'] },
  (times) => expectWholeVersion(times),
);

async function expectWholeVersion(times: number): Promise<void> {
  await withStockedCopy(async (data, rules) => {
    const vault = join(data, 'vault');
    const containers = async () =>
      (await readdir(vault, { recursive: true })).filter((path) => /[0-9a-f]{64}$/.test(path)).length;
    const before = await containers();
    await killedAtChange(data, times, 'publish', '--version', '2.0', '--group', 'Release', rules('a.yar'));
    const lab = await startLabProcess(data);
    const { id, last_version: last } = lastOne.parse(
      await (await lab.askRules('checkpackageversion', { version: '0' })).json(),
    );
    const link = (await lab.askRules('downloadpublication', { id })).headers.get('location') ?? '';
    expect((await fetch(`${lab.origin}${link}`)).status).toBe(200);
    expect(await containers()).toBe(before + (last === '2.0' ? 1 : 0));
    expect(await readdir(join(vault, 'incoming'))).toEqual([]);
    await lab.stop();
  });
}
