import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { completionScript } from './completion-script.ts';
import { flagsOf } from './flags.ts';

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const skipped = (shell: string): string => (isThere(shell) ? shell : `${shell} (skipped: not installed)`);

/** What each line of words is completed with. */
async function completed(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const asked = lines.map((words) => `complete_now vitrine ${words.map((word) => `'${word}'`).join(' ')}`);
  const script = [
    await completionScript('bash'),
    'complete_now() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vitrine; echo "${COMPREPLY[*]}"; }',
    ...asked,
  ].join('\n');
  const ran = spawnSync('bash', ['-c', 'source <(cat)'], { input: script, encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  return ran.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

test.runIf(isThere('bash'))(`${skipped('bash')} completes commands, sub-commands, options and values`, async () => {
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
  ];
  expect(await completed(cases.map(([words]) => words))).toEqual(cases.map(([, found]) => found));
});

test.each(['zsh', 'fish'] as const)('the script for %s has every command and every option', async (shell) => {
  const script = await completionScript(shell);
  for (const [name, { load }] of Object.entries(commands)) {
    const command = await load();
    for (const word of [name, ...Object.keys(command.words ?? {})]) expect(script).toContain(word);
    for (const option of Object.keys(flagsOf(command)))
      expect(script).toContain(shell === 'fish' ? `-l ${option}` : `--${option}:`);
  }
});

for (const shell of ['zsh', 'fish'] as const)
  test.runIf(isThere(shell))(`${skipped(shell)} reads its script`, async () => {
    const ran = spawnSync(shell, ['-n'], { input: await completionScript(shell), encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
  });
