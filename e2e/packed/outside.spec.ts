import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestInfo } from '@playwright/test';
import { z } from 'zod';
import { until } from '../crashes/vitrine.ts';
import { filesHolding } from '../disk.ts';
import { eicarMd5, eicarSha256, eicarString } from '../eicar.ts';
import { expect, test } from '../fixtures.ts';
import { filesToPick } from '../picked-files.ts';
import { type Program, startCommand, startProgram } from '../program.ts';
import { startTeam } from '../team.ts';

/**
 * The packed program as it is shipped, with every fuse burnt: nothing reaches into it, so it is started, asked by the
 * command line, typed into and ended as anybody would.
 */
const shipped = process.env.VITRINE_PACKED ?? '';
const dataOf = (folder: string): string => join(folder, 'data');

function start(folder: string, ...args: string[]): Program {
  return startCommand(shipped, ['--data', dataOf(folder), ...args], { TMPDIR: join(folder, 'temp') });
}

/** Resolves when it has a window and takes commands. */
async function startAndWait(folder: string, ...args: string[]): Promise<Program> {
  const program = start(folder, ...args);
  const ended = program.exited.then((code) => Promise.reject(new Error(`it ended with ${code}: ${program.output()}`)));
  await Promise.race([ended, until(async () => existsSync(join(dataOf(folder), 'desk.sock')) || null)]);
  await Promise.race([ended, windowOf(program)]);
  ended.catch(() => {});
  return program;
}

/** The number of its window, or its message, on the screen. */
async function windowOf({ pid }: Program): Promise<string> {
  return until(async () => {
    const found = await output('xdotool', [
      'search',
      '--all',
      '--onlyvisible',
      '--pid',
      String(pid),
      '--name',
      '.',
    ]).catch(() => '');
    return found.trim().split('\n')[0] || null;
  });
}

/** A program that can only say why it does not start: its message is looked at, and closed with a key. */
async function closeMessage(program: Program, testInfo: TestInfo, name: string): Promise<void> {
  const window = await windowOf(program);
  await output('xdotool', ['windowactivate', '--sync', window]);
  await picture(window, testInfo, name);
  await press('Return');
  expect(await program.exited).toBe(1);
}

async function picture(window: string, testInfo: TestInfo, name: string): Promise<{ width: number; colours: number }> {
  const path = testInfo.outputPath(`${name}.png`);
  await output('import', ['-window', window, path]);
  await testInfo.attach(name, { path, contentType: 'image/png' });
  const [, width, colours] = /^(\d+) (\d+)/.exec(await output('identify', ['-format', '%w %k', path])) ?? [];
  return { width: Number(width), colours: Number(colours) };
}

async function output(command: string, args: string[]): Promise<string> {
  const program = startCommand(command, args);
  if ((await program.exited) !== 0) throw new Error(`${command} ${args.join(' ')}: ${program.output()}`);
  return program.output();
}

/** Presses keys in the window that has the focus, as a keyboard does. */
const press = (...keys: string[]): Promise<string> => output('xdotool', ['key', '--clearmodifiers', ...keys]);

/** What the command line prints as JSON, a value a line. */
async function ask(folder: string, ...args: string[]): Promise<unknown[]> {
  const command = startProgram('electron/cli.ts', [...args, '--json', '--data', dataOf(folder)]);
  const code = await command.exited;
  const lines = command.output().trim().split('\n');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${lines.join('\n')}`);
  return lines.filter((line) => line.startsWith('{')).map((line): unknown => JSON.parse(line));
}

const journalRow = z.object({ row: z.object({ operation: z.string(), hash: z.string().nullable() }) });

/** The hashes that were looked up. */
async function lookups(folder: string): Promise<(string | null)[]> {
  const rows = (await ask(folder, 'journal')).map((value) => journalRow.parse(value).row);
  return rows.filter(({ operation }) => operation === 'look-up').map(({ hash }) => hash);
}

const scanned = z.object({
  file: z.string(),
  state: z.string(),
  rules: z.array(z.unknown()),
  results: z.array(z.object({ side: z.string(), state: z.string(), engine: z.string().nullable() })),
});

test('the shipped program runs a command line while its window is open, and ends with a signal', async ({ folder }) => {
  const program = await startAndWait(folder);
  await ask(folder, 'lookup', eicarMd5);
  await ask(folder, 'download', eicarMd5);
  await ask(folder, 'rules', 'update');
  const [archive, number] = await filesToPick(
    { name: 'x.asar', bytes: windowsProgram },
    { name: 'plain.exe', bytes: windowsProgram },
  );
  const results = (await ask(folder, 'scan', archive ?? '', number ?? '', '--engines', 'both')).map((value) =>
    scanned.parse(value),
  );
  expect(results.map(({ state, rules }) => [state, rules.length])).toEqual([
    ['done', 1],
    ['done', 1],
  ]);
  for (const { results: sides } of results) {
    expect(sides.find(({ side }) => side === 'local')).toMatchObject({ state: 'scanned', engine: 'native' });
    expect(sides.find(({ side }) => side === 'service')).toMatchObject({ state: 'scanned' });
  }
  expect(await filesHolding(folder, eicarString)).toEqual([]);
  expect(await program.stop('SIGTERM')).toBe(0);
  expect(existsSync(join(dataOf(folder), 'desk.sock'))).toBe(false);

  // What is there after an orderly end is there after a kill, too.
  const again = await startAndWait(folder);
  await again.stop('SIGKILL');
  const third = await startAndWait(folder);
  expect(JSON.stringify(await ask(folder, 'library', '--limit', '5'))).toContain(eicarSha256);
  expect(JSON.stringify(await ask(folder, 'rules', 'list'))).toContain('2026.11.10');
  expect(await third.stop('SIGINT')).toBe(0);
});

test('the shipped program ends at a signal without a prompt while a job runs, and resumes the job later', async ({
  folder,
}) => {
  const team = await startTeam(join(folder, 'team-lab'), { samples: 40 });
  const first = await startAndWait(folder);
  await ask(folder, 'workspace', 'add', 'Team', '--repository', team.baseUrl);
  const [token] = await filesToPick({ name: 'token', bytes: team.token });
  await ask(folder, 'workspace', 'token', 'Team', 'repository', '--from', token ?? '');
  team.faults.gate.hold(20);
  const download = startProgram('electron/cli.ts', [
    'download',
    ...team.samples,
    '-w',
    'Team',
    '--json',
    '--data',
    dataOf(folder),
  ]);
  await team.faults.gate.holding();
  expect(await first.stop('SIGHUP')).toBe(0);
  await download.exited;
  team.faults.gate.release();

  const again = await startAndWait(folder);
  await ask(folder, 'workspace', 'token', 'Team', 'repository', '--from', token ?? '');
  const database = new DatabaseSync(join(dataOf(folder), 'vitrine.db'), { readOnly: true });
  const id = String(database.prepare(`SELECT max(id) AS id FROM job`).get()?.['id']);
  database.close();
  const outcomes = await ask(folder, 'download', '--resume', id, '--no-records', '-w', 'Team');
  expect(outcomes.map((value) => outcome.parse(value).state)).toEqual(team.samples.map(() => 'done'));
  expect(await again.stop('SIGTERM')).toBe(0);
  await team.stop();
});

const outcome = z.object({ state: z.string() });

/** As much of one as the rule windows_executable asks for. */
const windowsProgram = Buffer.alloc(1024);
windowsProgram.write('MZ', 0, 'latin1');
windowsProgram.writeUInt32LE(0x80, 0x3c);
windowsProgram.write('PE\0\0', 0x80, 'latin1');

test('a link fills the look-up of the open shipped program, which sends a request only after a key press', async ({
  folder,
}, testInfo) => {
  const program = await startAndWait(folder);
  const window = await windowOf(program);
  await output('xdotool', ['windowactivate', '--sync', window]);
  // Past the welcome.
  await press('Escape');
  const link = start(folder, '--', `vitrine:${eicarMd5}`);
  expect(await link.exited).toBe(0);
  expect(await lookups(folder)).toEqual([]);
  const lookedUp = await until(async () => {
    await press('Return');
    const hashes = await lookups(folder);
    return hashes.length > 0 ? hashes : null;
  });
  expect(lookedUp[0]).toBe(eicarMd5);
  const { width, colours } = await picture(window, testInfo, 'window');
  expect(width).toBeGreaterThan(800);
  expect(colours).toBeGreaterThan(100);
  await press('ctrl+q');
  expect(await program.exited).toBe(0);
});

test('the shipped program runs no other code when its environment, its arguments or its folder request it', async ({
  folder,
}) => {
  const mark = join(folder, 'ran');
  const script = join(folder, 'script.cjs');
  await writeFile(script, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
  const asNode = startCommand(shipped, [script, '--data', dataOf(folder)], {
    ELECTRON_RUN_AS_NODE: '1',
    NODE_OPTIONS: `--require ${script}`,
    TMPDIR: join(folder, 'temp'),
  });
  await until(async () => existsSync(join(dataOf(folder), 'desk.sock')) || null);
  await asNode.stop('SIGTERM');
  expect(existsSync(mark)).toBe(false);

  // A folder beside the archive, which Electron would run first where the fuse is not burnt.
  const copy = join(folder, 'copy');
  await cp(dirname(shipped), copy, { recursive: true });
  const app = join(copy, 'resources', 'app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{"main":"main.cjs"}');
  await cp(script, join(app, 'main.cjs'));
  await rm(join(copy, 'resources', 'app.asar'));
  const other = startCommand(join(copy, 'vitrine'), ['--data', dataOf(folder)], { TMPDIR: join(folder, 'temp') });
  expect(await other.exited).toBe(1);
  expect(existsSync(mark)).toBe(false);
});

const refusals = [
  {
    what: 'a debugging port',
    args: ['--remote-debugging-port=0'],
    env: {},
    code: 2,
    states: 'Vitrine does not start with --remote-debugging-port',
  },
  {
    what: 'a debugger of Node',
    args: ['--inspect=0'],
    env: {},
    code: 2,
    states: 'Vitrine does not start with --inspect',
  },
  {
    what: 'flags of the engine',
    args: ['--js-flags', '--expose-gc'],
    env: {},
    code: 2,
    states: 'Vitrine does not start with --js-flags',
  },
  // Without the tools of a desktop: the box that they show would outlive the program.
  {
    what: 'no sandbox',
    args: ['--no-sandbox'],
    env: { PATH: '' },
    code: 2,
    states: 'Vitrine does not run without its sandbox',
  },
  {
    what: 'no display',
    args: [],
    env: { DISPLAY: '', WAYLAND_DISPLAY: '' },
    code: 1,
    states: 'Vitrine needs a display',
  },
  {
    what: 'a display that nothing answers at',
    args: [],
    env: { DISPLAY: ':59999' },
    code: 1,
    states: 'Vitrine needs a display',
  },
];

for (const { what, args, env, code, states } of refusals) {
  test(`the shipped program ends with an error message when it is started with ${what}`, async ({ folder }) => {
    const program = startCommand(shipped, [...args, '--data', dataOf(folder)], {
      TMPDIR: join(folder, 'temp'),
      ...env,
    });
    expect(await program.exited).toBe(code);
    expect(program.output()).toContain(states);
    expect(program.output()).not.toContain('listening on ws://');
    expect(await readdir(dataOf(folder))).toEqual([]);
  });
}

test('a second start reports that the first program does not respond, and leaves it unchanged', async ({
  folder,
}, testInfo) => {
  const first = await startAndWait(folder);
  process.kill(first.pid, 'SIGSTOP');
  const second = start(folder);
  await closeMessage(second, testInfo, 'silent');
  process.kill(first.pid, 'SIGCONT');
  await ask(folder, 'lookup', eicarMd5);
  expect(await first.stop('SIGTERM')).toBe(0);
});

test('data of a newer version is refused with a message and left unchanged', async ({ folder }, testInfo) => {
  const first = await startAndWait(folder);
  expect(await first.stop('SIGTERM')).toBe(0);
  const path = join(dataOf(folder), 'vitrine.db');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 999');
  database.close();
  const before = await readFile(path);
  await closeMessage(start(folder), testInfo, 'newer');
  const third = start(folder);
  await windowOf(third);
  expect(await third.stop('SIGTERM'), 'ended while its message is shown').toBe(1);
  expect(before.equals(await readFile(path))).toBe(true);
  expect(await readdir(join(folder, 'temp')), 'nothing is left in the temporary folder').toEqual([]);
});
