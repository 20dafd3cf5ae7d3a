import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { commonOptions } from './common-options.ts';
import { exitCodes } from './exit.ts';
import { helpText } from './help-text.ts';
import { optionsHelp, topHelp } from './help-topics.ts';
import { flagsOf } from './option-values.ts';

const document = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
const block = (text: string): string => `\n\`\`\`\n${text}\n\`\`\`\n`;
const loaded = await Promise.all(
  Object.entries(commands).map(async ([name, { load }]): Promise<[string, Command]> => [name, await load()]),
);
const everyHelp = ([, command]: (typeof loaded)[number]): string[] => [
  helpText(command),
  ...Object.keys(command.words ?? {}).map((word) => helpText(command, word)),
];

test.each(loaded)('the document has the output of "vitrine %s --help"', (_name, command) => {
  expect(document).toContain(block(helpText(command)));
});

test.each(loaded)('the document has the help of each sub-command of %s that has options', (_name, command) => {
  const missing = Object.entries(command.words ?? {}).filter(
    ([word, { flags }]) => flags !== undefined && !document.includes(block(helpText(command, word))),
  );
  expect(missing).toEqual([]);
});

test('the document has the options of every command and the meaning of each exit code', () => {
  expect(document).toContain(block(optionsHelp()));
  for (const code of Object.values(exitCodes)) expect(document).toMatch(new RegExp(`^\\| ${code} \\| `, 'm'));
});

test('the help of a command has usage, examples, lines of at most 80 columns and only ASCII', () => {
  for (const text of [topHelp(commands), optionsHelp(), ...loaded.flatMap(everyHelp)])
    for (const line of text.split('\n')) expect(line).toMatch(/^[ -~]{0,80}$/);
  for (const text of loaded.flatMap(everyHelp))
    for (const part of ['USAGE\n', 'EXAMPLES\n']) expect(text).toContain(`\n${part}`);
});

test('the help shows option values as they are typed', () => {
  for (const [, command] of loaded)
    for (const [name, { choices = [], text }] of Object.entries(flagsOf(command))) {
      const value = choices.find((choice) => text.startsWith(choice));
      if (value !== undefined)
        expect(everyHelp(['', command]).join('\n')).toMatch(new RegExp(`--${name} .*\\s${value}`));
    }
  expect(optionsHelp()).toMatch(/--format FORMAT +table, json/);
});

test.each(loaded)(
  'an earlier name of a sub-command of %s maps to a present one and is in no list',
  (_name, command) => {
    for (const [earlier, present] of Object.entries(command.aliases ?? {})) {
      expect(Object.keys(command.words ?? {})).toContain(present);
      expect(everyHelp(['', command]).join('\n')).not.toContain(earlier);
    }
  },
);

test.each(loaded)('each option of %s is in the help of the command that accepts it', (_name, command) => {
  for (const [word, { flags }] of [['', command] as const, ...Object.entries(command.words ?? {})])
    for (const option of Object.keys(flags ?? {}))
      expect(helpText(command, word === '' ? undefined : word)).toContain(`--${option}`);
  for (const option of Object.keys(commonOptions)) {
    expect(optionsHelp()).toContain(`--${option}`);
    if (option !== 'format') expect(Object.keys(flagsOf(command))).not.toContain(option);
  }
});
