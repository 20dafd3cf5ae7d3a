import { z } from 'zod';
import { yaraKeywords } from './yara-scanner.ts';

/**
 * Variables that a scan sets for each file, as rules expect them by convention. All are texts; `filesize` is the
 * engine's own. They are defined for every package, or rules that ask for them would not compile. Without a schema
 * beside them, which a scan worker would have to load.
 */
export const conventionalVariables = ['filename', 'extension', 'filepath', 'filetype', 'owner'] as const;
export type ConventionalVariable = (typeof conventionalVariables)[number];
export const isConventionalVariable = (name: string): name is ConventionalVariable =>
  conventionalVariables.some((one) => one === name);

/** What an engine has under these names is its own. */
const modules = new Set([
  'pe',
  'elf',
  'macho',
  'dotnet',
  'dex',
  'crx',
  'lnk',
  'olecf',
  'vba',
  'hash',
  'math',
  'string',
  'time',
  'console',
  'cuckoo',
  'magic',
  'vt',
  'test_proto2',
  'test_proto3',
  'text',
]);

const name = z
  .string()
  .regex(/^[A-Za-z_]\w{0,127}$/, 'a name of letters, digits and underscores that does not start with a digit')
  .refine((text) => !yaraKeywords.has(text), 'not a YARA keyword')
  .refine((text) => !modules.has(text), 'not the name of a module');
const longestText = 1000;

/**
 * A variable that a workspace defines for its rules. A conventional one is the text that counts where a scan does not
 * know it.
 */
const ruleVariable = z
  .discriminatedUnion('type', [
    z.object({ name, type: z.literal('text'), value: z.string().max(longestText, 'at most 1,000 characters') }),
    z.object({ name, type: z.literal('integer'), value: z.number('a whole number').int('a whole number') }),
    z.object({ name, type: z.literal('float'), value: z.number('a number') }),
    z.object({ name, type: z.literal('boolean'), value: z.boolean('true or false') }),
  ])
  .refine(({ name: own, type }) => type === 'text' || !isConventionalVariable(own), {
    error: 'filename, extension, filepath, filetype and owner must be texts',
    path: ['type'],
  });
export type RuleVariable = z.infer<typeof ruleVariable>;

const mostRuleVariables = 50;
export const ruleVariables = z
  .array(ruleVariable)
  .max(mostRuleVariables, 'at most 50 variables')
  .refine((all) => new Set(all.map((one) => one.name)).size === all.length, 'each name once');

type ReadVariables = { ok: true; variables: RuleVariable[] } | { ok: false; line: number; problem: string };

/**
 * One a line, as `name = value`; empty lines are left out. A value in quotes is a text; another one is read as `yara
 * -d` reads it. `line` is one-based.
 */
export function readVariables(text: string): ReadVariables {
  const variables: RuleVariable[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = ruleVariable.safeParse(variableIn(line));
    if (!read.success) return { ok: false, line: index + 1, problem: read.error.issues[0]?.message ?? '' };
    if (variables.some((one) => one.name === read.data.name))
      return { ok: false, line: index + 1, problem: `${read.data.name} is already defined` };
    variables.push(read.data);
  }
  if (variables.length > mostRuleVariables)
    return { ok: false, line: mostRuleVariables + 1, problem: `at most ${mostRuleVariables} variables` };
  return { ok: true, variables };
}

/** As `readVariables` reads it. */
export function writtenVariable({ name: own, type, value }: RuleVariable): string {
  if (type === 'text') return `${own} = ${JSON.stringify(value)}`;
  return `${own} = ${type === 'float' ? withPoint(String(value)) : String(value)}`;
}

/** What makes it a float. */
const withPoint = (digits: string): string =>
  digits.includes('.') ? digits : digits.includes('e') ? digits.replace('e', '.0e') : `${digits}.0`;

function variableIn(line: string): { name: string; type: RuleVariable['type']; value: string | number | boolean } {
  const equals = line.indexOf('=');
  const [typedName, typed] =
    equals < 0 ? [line.trim(), ''] : [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
  if (typed === 'true' || typed === 'false') return { name: typedName, type: 'boolean', value: typed === 'true' };
  if (/^[+-]?\d+$/.test(typed)) return { name: typedName, type: 'integer', value: Number(typed) };
  if (/^[+-]?\d+\.\d+(?:e[+-]?\d+)?$/i.test(typed)) return { name: typedName, type: 'float', value: Number(typed) };
  return {
    name: typedName,
    type: 'text',
    value: typed.length > 1 && typed.startsWith('"') && typed.endsWith('"') ? unquoted(typed) : typed,
  };
}

/** With the escapes of JSON; other text is taken unchanged. */
function unquoted(typed: string): string {
  try {
    return z.string().parse(JSON.parse(typed));
  } catch {
    return typed.slice(1, -1);
  }
}
