import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { builtEntry, startProgram } from '../../program.ts';
import { run, runEntry } from '../child.ts';
import { openHostSession, valueOf } from '../host-calls.ts';
import { median, type Row } from '../row.ts';
import { layRules } from '../rule-set.ts';

const rulesInAll = 5800;
const mebibyte = 1024 * 1024;
const hasYara = spawnSync('yara', ['--version']).error === undefined;
const missing = hasYara ? null : 'there is no yara to compare with';
const counts = (quick: boolean): number => (quick ? 3 : 7);

interface Set {
  rules: string;
  files: string;
  /** Files that a rule is to hit. */
  hits: number;
}

/**
 * `files` of the same size, every second one a program by its first bytes: of the others most rules need not be looked
 * at. Every tenth has two texts of a rule.
 */
async function laySet(folder: string, { files, bytesEach }: { files: number; bytesEach: number }): Promise<Set> {
  await layRules(join(folder, 'rules'), { files: 1, rulesEach: rulesInAll });
  const set = { rules: join(folder, 'rules', 'family-000.yar'), files: join(folder, 'files'), hits: 0 };
  const rules = await readFile(set.rules, 'utf8');
  // Rules of one remainder by nine let only small files through.
  const marks = [...rules.matchAll(/^rule family_(\d+) [^]*?\$text_1 = "(\w+)"[^]*?\$text_3 = "(\w+)"/gm)].filter(
    ([, number]) => Number(number) % 9 > 0,
  );
  await mkdir(set.files);
  for (let number = 0; number < files; number += 1) {
    const bytes = randomBytes(bytesEach);
    if (number % 2 === 0) bytes.write('MZ');
    if (number % 10 === 0) {
      const [, , one = '', two = ''] = marks[(number * 37) % marks.length] ?? [];
      bytes.write(` ${one} ${two} `, bytesEach / 2);
      set.hits += 1;
    }
    await writeFile(join(set.files, `sample-${String(number).padStart(5, '0')}`), bytes);
  }
  return set;
}

async function secondsOf(
  what: string,
  set: Set,
  command: string,
  args: readonly string[],
  isHit: RegExp,
): Promise<number> {
  const begun = performance.now();
  const printed = await run(command, args);
  const seconds = (performance.now() - begun) / 1000;
  const hits = printed.split('\n').filter((line) => isHit.test(line)).length;
  if (hits !== set.hits) throw new Error(`${what} hit ${hits} files, and ${set.hits} are to be hit`);
  return seconds;
}

const byYara = (set: Set): Promise<number> =>
  secondsOf('yara', set, 'yara', ['-p', '2', set.rules, set.files], /^family_/);
const byVitrine = (set: Set, data: string): Promise<number> =>
  secondsOf(
    'vitrine',
    set,
    process.execPath,
    [builtEntry('electron/cli.ts') ?? 'electron/cli.ts', 'scan', set.files, '--data', data],
    /^hit /,
  );

/** A program with these rules as its active package, until `work` is over. */
async function withProgram<T>(data: string, set: Set, work: () => Promise<T>): Promise<T> {
  const program = startProgram('electron/web.ts', ['--port', '0', '--data', data, '--no-open']);
  try {
    const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    await install(link, set.rules);
    return await work();
  } finally {
    await program.stop();
  }
}

async function install(link: string, rules: string): Promise<void> {
  const { ask, stage } = await openHostSession(link);
  const { id } = await stage('rules.yar', await readFile(rules));
  valueOf(
    'publications.addFile',
    await ask('publications.addFile', { workspaceId: labWorkspaceId, stagedId: id, version: '1' }),
  );
  for (;;) {
    const { check, candidate } = valueOf(
      'publications.state',
      await ask('publications.state', { workspaceId: labWorkspaceId }),
    );
    if (check === null && candidate !== null) {
      valueOf(
        'publications.activate',
        await ask('publications.activate', { workspaceId: labWorkspaceId, sha256: candidate }),
      );
      return;
    }
    if (check === null) throw new Error('the rules are no candidate');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function ratios(rounds: number, set: Set, data: string): Promise<number> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const reference = await byYara(set);
    measured.push((await byVitrine(set, data)) / reference);
  }
  return median(measured);
}

const scanned = { files: 150, bytesEach: mebibyte };
const reference = 'yara -p 2 of the same 5,800 rules, from their source, over the same 150 files of 1 MiB';

export const scanCli5k: Row = {
  name: 'scan-cli-5k',
  reference: `${reference}; ours with an open program that has scanned with them before`,
  limit:
    "The engine's search, 7.5 ns per byte to yara's 6.4, is nearly all of it. Before it come three hashes of " +
    'every file, in two threads; rows in job, library and journal; and starting Node for the command.',
  aim: 0.5,
  must: 1.5,
  residentMustMiB: null,
  missing,
  async measure({ folder, quick }) {
    const [set, data] = [await laySet(folder, scanned), join(folder, 'data')];
    const ratio = await withProgram(data, set, async () => {
      await byVitrine(set, data);
      return ratios(counts(quick), set, data);
    });
    return { ratio, residentMiB: null };
  },
};

export const scanCli5kClosed: Row = {
  name: 'scan-cli-5k-closed',
  reference: `${reference}; ours without an open program`,
  limit:
    'Compiling: for the strings of these rules and their conditions without strings, the native engine takes 1.3 ' +
    's of processor time in each of two processes; yara takes 0.35 s for everything. Full conditions would take ' +
    '3.6 s. Its binding cannot save compiled rules. Opening the data and splitting and binding the rules takes ' +
    '0.8 s before that.',
  aim: null,
  must: 2.5,
  residentMustMiB: null,
  missing,
  async measure({ folder, quick }) {
    const [set, data] = [await laySet(folder, scanned), join(folder, 'data')];
    await withProgram(data, set, async () => undefined);
    return { ratio: await ratios(counts(quick), set, data), residentMiB: null };
  },
};

const warmed = z.object({ seconds: z.number(), engineMiB: z.number().nullable() });

async function warm(folder: string, set: Set): Promise<z.infer<typeof warmed>> {
  const data = join(folder, 'data');
  const said = await runEntry('electron/bench.ts', [
    'warm-scan',
    '--data',
    data,
    '--rules',
    set.rules,
    '--files',
    set.files,
  ]);
  await rm(data, { recursive: true });
  return warmed.parse(JSON.parse(said));
}

const few = { files: 5, bytesEach: 1024 };

export const scan5Warm: Row = {
  name: 'scan-5-warm',
  reference: 'yara -C of the same 5,800 rules, already compiled, over the same 5 files of 1 KiB',
  limit:
    'The cost of a job: staging and hashing, comparing the rules with the compiled ones, rows in job, library and ' +
    'journal.',
  aim: 5,
  must: 10,
  residentMustMiB: null,
  missing,
  async measure({ folder, quick }) {
    const set = await laySet(folder, few);
    const compiled = join(folder, 'compiled');
    await run('yarac', [set.rules, compiled]);
    const { seconds } = await warm(folder, set);
    const taken: number[] = [];
    for (let count = 0; count < counts(quick); count += 1)
      taken.push(await secondsOf('yara', set, 'yara', ['-C', compiled, set.files], /^family_/));
    return { ratio: seconds / median(taken), residentMiB: null };
  },
};

export const scanPoolMemory: Row = {
  name: 'scan-pool-memory',
  reference: 'none: the resident memory of the kept engines, after scans with 5,800 rules',
  limit:
    "The engine's compiled rules, 120 MiB for the strings of these rules and for conditions without them, in each " +
    'of two Node processes.',
  aim: null,
  must: null,
  residentMustMiB: 600,
  async measure({ folder }) {
    const { engineMiB } = await warm(folder, await laySet(folder, { files: 50, bytesEach: mebibyte }));
    return { ratio: null, residentMiB: engineMiB };
  },
};
