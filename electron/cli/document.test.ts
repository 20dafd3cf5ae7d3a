import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { commonUsage } from './common-options.ts';
import { exitCodes } from './exit-codes.ts';

const document = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
const block = (text: string): string => `\n\`\`\`\n${text}\n\`\`\`\n`;

test.each(Object.keys(commands))('the document has what "vitrine %s --help" prints', async (name) => {
  const command = await commands[name]?.();
  expect(document).toContain(block(command?.usage ?? name));
});

test('the document has the options of every command, and what each number at the end means', () => {
  expect(document).toContain(block(commonUsage));
  for (const code of Object.values(exitCodes)) expect(document).toMatch(new RegExp(`^\\| ${code} \\| `, 'm'));
});

test.each(Object.keys(commands))('each option of %s is in its own help', async (name) => {
  const { options, usage } = (await commands[name]?.()) ?? { options: { none: {} }, usage: '' };
  expect(Object.keys(options).filter((option) => !usage.includes(`--${option}`))).toEqual([]);
});
