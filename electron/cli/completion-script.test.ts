import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { commands } from './commands.ts';
import { completionScript } from './completion-script.ts';
import { flagsOf } from './option-values.ts';

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const skipped = (shell: string): string => (isThere(shell) ? shell : `${shell} (skipped: not installed)`);

/** Prints a line of candidates for each command line, as the shell itself would complete its last word. */
const drivers = {
  bash: (script: string, lines: readonly (readonly string[])[]) =>
    [
      script,
      'complete_now() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vitrine; echo "${COMPREPLY[*]}"; }',
      ...lines.map((words) => `complete_now vitrine ${quoted(words)}`),
    ].join('\n'),
  // Outside the line editor the functions of the completion system only list what they are given.
  zsh: (script: string, lines: readonly (readonly string[])[]) =>
    [
      'compdef() {}; _files() {}; compadd() { shift; found+=("$@") }',
      'compset() { words[CURRENT]=${words[CURRENT]#*=} }',
      '_describe() { local from=${@[-1]}; found+=(${${(P)from}%%:*}) }',
      script,
      'complete_now() { words=("$@"); CURRENT=$#; found=(); _vitrine; echo ${(M)found:#${words[-1]}*}; }',
      ...lines.map((words) => `complete_now vitrine ${quoted(words)}`),
    ].join('\n'),
  // Paths, which fish offers where nothing else fits, contain a dot or end with a slash here.
  fish: (script: string, lines: readonly (readonly string[])[]) =>
    [
      script,
      ...lines.map(
        (words) => `echo (complete -C "vitrine ${words.join(' ')}" | string match -rg '^([^./\t]+)(?:\t|$)')`,
      ),
    ].join('\n'),
} as const;
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

async function completed(shell: keyof typeof drivers, lines: readonly (readonly string[])[]): Promise<string[][]> {
  const directory = temporaryFolder();
  const file = join(directory, 'script.sh');
  await writeFile(file, drivers[shell](await completionScript(shell, commands), lines));
  const ran = spawnSync(shell, [file], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory },
    encoding: 'utf8',
  });
  expect(ran.stderr).toBe('');
  return ran.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

const cases: [string[], string[]][] = [
  [[''], Object.keys(commands)],
  [['li'], ['library']],
  [['library', 'a'], ['add']],
  [['library', 'add', '--ke'], ['--keep-archives']],
  [
    ['rules', 'list', '--sort', ''],
    ['place', 'name', 'hits', 'cost'],
  ],
  [['-w', 'lab', 'jour'], ['journal']],
  [
    ['scan', 'some.bin', '--tlp', 'am'],
    ['amber', 'amber+strict'],
  ],
  [['scan', '--wo'], ['--workspace']],
  [['help', 'jo'], ['journal']],
  [['lookup', '--file', ''], []],
  [['help', 'rules', 'li'], ['list']],
  [['help', 'opt'], ['options']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['completion', 'bash', ''], []],
  [
    ['rules', 'relaxed', ''],
    ['on', 'off'],
  ],
  [
    ['workspace', 'token', 'Team', ''],
    ['repository', 'rule-editor'],
  ],
  [['library', 'some', 'a'], []],
  [['library', '--', '--lim'], []],
  [
    ['rules', 'relaxed', '--', 'o'],
    ['on', 'off'],
  ],
  [['--data=here', 'jour'], ['journal']],
];

/** A shell may complete the value alone, or the whole word. */
const joined: [string[], string[]] = [
  ['library', '--format=j'],
  ['json', 'jsonl'],
];
const whole = ([words, found]: typeof joined): typeof joined => [words, found.map((one) => `--format=${one}`)];
/** As bash splits it. */
const split: typeof joined = [['library', '--format', '=', 'j'], joined[1]];
const casesOf = {
  bash: [...cases, whole(joined), split, [['library', '--format', '=', 'csv', '--lim'], ['--limit']]],
  zsh: [...cases, joined],
  fish: [...cases, whole(joined)],
} satisfies Record<keyof typeof drivers, [string[], string[]][]>;

for (const shell of ['bash', 'zsh', 'fish'] as const)
  test.runIf(isThere(shell))(`${skipped(shell)} completes commands, sub-commands, options and values`, async () => {
    const found = await completed(
      shell,
      casesOf[shell].map(([words]) => words),
    );
    // fish sorts what it offers.
    const inOrder = (words: readonly string[]) => (shell === 'fish' ? words.toSorted() : words);
    expect(found.map(inOrder)).toEqual(casesOf[shell].map(([, words]) => inOrder(words)));
  });

test.each(['zsh', 'fish'] as const)('the script for %s has every command and every option', async (shell) => {
  const script = await completionScript(shell, commands);
  for (const [name, { load }] of Object.entries(commands)) {
    const command = await load();
    for (const word of [name, ...Object.keys(command.words ?? {})]) expect(script).toContain(word);
    for (const option of Object.keys(flagsOf(command)))
      expect(script).toContain(shell === 'fish' ? `-l ${option} ` : `--${option}:`);
  }
});
