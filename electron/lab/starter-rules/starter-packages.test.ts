import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Compiler, initSync, type Rules } from '@virustotal/yara-x';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openRuleLibrary } from '../../rules/rule-library.ts';
import type { NewPackage } from '../package-archive.ts';
import { eicar, portableExecutable } from '../sample-file-bytes.ts';
import { sampleFiles } from '../sample-files.ts';
import { starterPackages } from './starter-packages.ts';

const [release, latest] = starterPackages;
if (release === undefined || latest === undefined) throw new Error('there are two');

test('every starter rule compiles, and their number is the declared one', async () => {
  const library = openRuleLibrary();
  for (const { version, files, rules } of starterPackages) {
    await library.load(version, files, null);
    expect(await library.gate(version, { signal: new AbortController().signal, onProgress: () => {} })).toMatchObject({
      rules,
      broken: [],
    });
  }
  await library.close();
});

test('the Test package has two rules more than the Release, one less and one changed', async () => {
  const library = openRuleLibrary();
  for (const { version, files } of starterPackages) await library.load(version, files, null);
  const { counts, rows } = await library.difference(release.version, latest.version, { offset: 0, limit: 100 });
  expect(counts).toEqual({ added: 2, removed: 1, changed: 3, moved: 0, broken: 0, same: release.rules - 4 });
  expect(
    rows
      .filter(({ kind }) => kind === 'changed')
      .map(({ parts }) => parts.join())
      .toSorted(),
  ).toEqual(['condition', 'meta', 'strings']);
  await library.close();
});

test('each rule names its author, its purpose and its revision; one file includes another', () => {
  for (const { files } of starterPackages) {
    const text = files.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n');
    const rules = text.split(/^rule /m).slice(1);
    for (const rule of rules)
      expect(rule).toMatch(
        new RegExp(
          /^\w+ : [\w ]+\n\{\n {4}meta:\n {8}author = "Vitrine"\n/.source +
            / {8}description = "[^"]{20,100}"\n[^}]*? {8}revision = \d\n/.source,
        ),
      );
    expect(text).toContain('include "generic/formats.yar"');
    expect(text).not.toContain(eicar().toString('latin1'));
  }
});

/** `rule in specimen` for each hit. */
function hitsOf(files: NewPackage['files']): string[] {
  const rules = compiled(files);
  const found = sampleFiles.flatMap(({ name, make }) =>
    scanned.parse(rules.scan(make())).matches.map(({ identifier }) => `${identifier} in ${name.slice(0, 15)}`),
  );
  rules.free();
  return found;
}

let hitsOfRelease: string[];
beforeAll(() => {
  hitsOfRelease = hitsOf(release.files);
});

test('the Release matches ten sample files of the lab', () => {
  expect(hitsOfRelease).toEqual([
    'eicar_test_file in eicar.com',
    'windows_executable in invoice_2291.ex',
    'glasswing_stub in invoice_2291.ex',
    'elf_executable in sysupdated',
    'mothlight_agent in sysupdated',
    'office_openxml in Quarterly figur',
    'powershell_setup_script in setup-env.ps1',
    'shell_link in Photos.lnk',
    'high_entropy in stage2.bin',
    'high_entropy in memory-0x7ffd00',
    'high_entropy in отчёт-報告-תקציר-',
    'high_entropy in a-name-that-is-',
  ]);
});

test('the Test package matches one more, and one less', () => {
  const now = hitsOf(latest.files);
  expect(now.filter((hit) => !hitsOfRelease.includes(hit))).toEqual(['png_of_one_pixel in preview.png']);
  expect(hitsOfRelease.filter((hit) => !now.includes(hit))).toEqual(['high_entropy in отчёт-報告-תקציר-']);
});

test.each(starterPackages)(
  'a rule of $version matches a sample file by three strings, each at one place',
  ({ files }) => {
    const rules = compiled(files);
    const found = scanned
      .parse(rules.scan(portableExecutable()))
      .matches.find(({ identifier }) => identifier === 'glasswing_stub');
    rules.free();
    expect(found?.patterns?.map(({ identifier, matches }) => [identifier, matches])).toEqual([
      ['$stub', [{ offset: 78, length: 38 }]],
      ['$signature', [{ offset: 128, length: 6 }]],
      ['$mark', [{ offset: 512, length: 32 }]],
    ]);
  },
);

const scanned = z.object({
  matches: z.array(
    z.object({
      identifier: z.string(),
      patterns: z
        .array(
          z.object({ identifier: z.string(), matches: z.array(z.object({ offset: z.number(), length: z.number() })) }),
        )
        .optional(),
    }),
  ),
});

function compiled(files: NewPackage['files']): Rules {
  loadEngine();
  const compiler = new Compiler();
  // What is included comes first; the engine here reads no files.
  const inOrder = files.toSorted((one, other) => other.path.length - one.path.length);
  for (const file of inOrder)
    compiler.addSource(
      Buffer.from(file.bytes)
        .toString()
        .replace(/^include .*$/m, ''),
    );
  return compiler.build();
}

let isLoaded = false;
function loadEngine(): void {
  if (isLoaded) return;
  const engine = dirname(createRequire(import.meta.url).resolve('@virustotal/yara-x'));
  initSync({ module: readFileSync(join(engine, 'yara_x_js_bg.wasm')) });
  isLoaded = true;
}
