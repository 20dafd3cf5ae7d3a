import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { Flags, OptionValues } from './command.ts';
import { wrongUsage } from './exit.ts';
import { refusedSecret } from './given-secrets.ts';
import { suggestion } from './nearest-word.ts';
import { parserOptions } from './option-values.ts';
import { type OutputFormat, outputFormats } from './terminal.ts';

/** Every command has them. */
export const commonFlags = {
  json: { text: 'newline-delimited JSON on stdout, the same as --format jsonl' },
  format: {
    value: 'FORMAT',
    choices: outputFormats,
    text: 'table, json, jsonl or csv (default: a table in a terminal, else tab-separated text)',
  },
  workspace: { short: 'w', value: 'NAME', text: 'use this workspace, by its name or ID' },
  data: { value: 'DIR', text: 'use this data directory' },
  wait: { value: 'SECONDS', text: 'wait this long for data that is in use (default 10)' },
  quiet: { short: 'q', text: 'no progress and no notes on stderr' },
  'repository-token-file': {
    value: 'FILE',
    text: 'repository token for this command only; or set VITRINE_REPOSITORY_TOKEN',
  },
  'rule-editor-token-file': {
    value: 'FILE',
    text: 'rule editor token for this command only; or set VITRINE_RULE_EDITOR_TOKEN',
  },
  'passphrase-file': { value: 'FILE', text: 'passphrase of the sealed token file; or set VITRINE_PASSPHRASE' },
  version: { text: 'print the version' },
  help: { short: 'h', text: 'show help' },
} as const satisfies Flags;

/** Every command has them, as the parser takes them. */
export const commonOptions = {
  json: { type: 'boolean' },
  format: { type: 'string' },
  workspace: { type: 'string', short: 'w' },
  data: { type: 'string' },
  wait: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  'repository-token-file': { type: 'string' },
  'rule-editor-token-file': { type: 'string' },
  'passphrase-file': { type: 'string' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Record<keyof typeof commonFlags, ParseArgsOptionsConfig[string]>;

/** Whether a part of a command line that begins with a dash is an argument all the same. */
export type IsArgument = (part: string) => boolean;

/** The parser would split such an argument into options: a plain word takes its place. */
const withPlaceholders = (args: readonly string[], isArgument: IsArgument): string[] =>
  args.map((arg) => (isArgument(arg) ? 'argument' : arg));

/** Refuses nothing. */
function tokensOf(args: readonly string[], options: ParseArgsOptionsConfig, isArgument: IsArgument) {
  const { tokens } = parseArgs({
    args: withPlaceholders(args, isArgument),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.map((token) => {
    if (token.kind === 'positional') return { ...token, value: args[token.index] ?? token.value };
    if (token.kind === 'option' && token.inlineValue === false)
      return { ...token, value: args[token.index + 1] ?? token.value };
    return token;
  });
}

/** Only options of all commands may precede the command's name, which is null where there is none. */
export function findCommand(args: readonly string[]): { name: string | null; rest: string[] } {
  const first = tokensOf(args, commonOptions, () => false).find((token) => token.kind === 'positional');
  if (!first) return { name: null, rest: [...args] };
  return { name: first.value, rest: args.filter((_one, index) => index !== first.index) };
}

/** How a command reports, which is known before anything is refused. */
export interface Reporting {
  /** null: none was given, or one that this command has for itself. */
  format: OutputFormat | null;
  isQuiet: boolean;
  /** Only the version is asked for. */
  asksVersion: boolean;
}

export function readReporting(rest: readonly string[], isArgument: IsArgument): Reporting {
  const { values } = parseArgs({
    args: withPlaceholders(rest, isArgument),
    options: commonOptions,
    strict: false,
    allowPositionals: true,
  });
  const named = outputFormats.find((one) => one === values.format) ?? null;
  return {
    format: values.json === true ? 'jsonl' : named,
    isQuiet: values.quiet === true,
    asksVersion: values.version === true && values.help === undefined,
  };
}

/** Among other letters `h` asks for help only where all of them are options: `-xh` is wrong usage. */
export function asksForHelp(rest: readonly string[], own: Flags, isArgument: IsArgument): boolean {
  const shorts = Object.values(own).flatMap(({ short }) => short ?? []);
  const known = new Set([...Object.keys(commonOptions), ...shorts]);
  // Without the command's own options: one that lacks its value must not take "--help" for it.
  const given = tokensOf(rest, commonOptions, isArgument).filter((token) => token.kind === 'option');
  const unknown = new Set(given.flatMap(({ name, index }) => (known.has(name) ? [] : [index])));
  return given.some(({ name, index }) => name === 'help' && !unknown.has(index));
}

/** Likely names of an option that passes a secret as an argument. */
const secretNames = /^--(?:[a-z-]+-)?(?:token|password|passphrase|secret)(?=$|=)/;

/** @throws UsageError for what the command does not know */
export function readOptions(
  args: readonly string[],
  own: Flags,
  isArgument: IsArgument,
): { args: string[]; options: OptionValues } {
  const options: ParseArgsOptionsConfig = { ...commonOptions, ...parserOptions(own) };
  const [secret] = args.flatMap((arg) => secretNames.exec(arg)?.[0] ?? []);
  if (secret !== undefined && !Object.hasOwn(options, secret.slice(2))) {
    wrongUsage(refusedSecret(secret.slice(2), Object.keys(options)));
  }
  const tokens = tokensOf(args, options, isArgument);
  requireOptions(tokens, options);
  const { values } = parseArgs({ args: withPlaceholders(args, isArgument), options, allowPositionals: true });
  requireOnce(
    tokens.flatMap((token) =>
      token.kind === 'option' && options[token.name]?.type === 'string' && !options[token.name]?.multiple
        ? [token.name]
        : [],
    ),
  );
  if (values.data === '') wrongUsage('--data: the directory name is empty');
  return { args: positionalsIn(tokens), options: onlyTexts(values) };
}

/** @throws UsageError for an unknown option, with the nearest known one, and for a missing or needless value */
function requireOptions(tokens: ReturnType<typeof tokensOf>, options: ParseArgsOptionsConfig): void {
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { rawName, name, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option !== undefined) {
      requireValue(option.type === 'string', { rawName, value, isInline: inlineValue === true });
      continue;
    }
    const asArgument = rawName.startsWith('--') ? '' : '; put arguments that begin with "-" after "--"';
    wrongUsage(
      `unknown option "${rawName}"${suggestion(
        rawName,
        Object.keys(options).map((known) => `--${known}`),
      )}${asArgument}`,
    );
  }
}

/** The parser refuses the same, in words of its own. @throws UsageError */
function requireValue(
  takesOne: boolean,
  { rawName, value, isInline }: { rawName: string; value: string | undefined; isInline: boolean },
): void {
  if (!takesOne && value !== undefined) wrongUsage(`${rawName} takes no value`);
  if (!takesOne) return;
  if (value === undefined) wrongUsage(`${rawName} needs a value`);
  if (isInline || !/^-./s.test(value)) return;
  wrongUsage(
    `${rawName} needs a value` +
      (rawName.startsWith('--') && !value.startsWith('--') ? `; one with a dash is ${rawName}=${value}` : ''),
  );
}

/** @throws UsageError for an option that takes one value and has several */
function requireOnce(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) wrongUsage(`--${repeated} is given more than once`);
}

/** No option of ours is a list of anything but texts. */
function onlyTexts(values: ReturnType<typeof parseArgs>['values']): OptionValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((one) => typeof one === 'string') : value,
    ]),
  );
}

const positionalsIn = (tokens: ReturnType<typeof tokensOf>): string[] =>
  tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));

/** The arguments among what was typed, also where something in it is wrong. */
export const positionals = (args: readonly string[], own: Flags, isArgument: IsArgument): string[] =>
  positionalsIn(tokensOf(args, { ...commonOptions, ...parserOptions(own) }, isArgument));
