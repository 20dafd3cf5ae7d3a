import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { OptionValues } from './command.ts';
import { suggestion } from './nearest-word.ts';
import { UsageError, wrongUsage } from './usage-error.ts';

/** Every command has them. */
export const commonOptions = {
  json: { type: 'boolean' },
  workspace: { type: 'string', short: 'w' },
  data: { type: 'string' },
  wait: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  'passphrase-file': { type: 'string' },
  'repository-token-file': { type: 'string' },
  'rule-editor-token-file': { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

export const commonUsage = `Options of every command:
  --json                         JSON, a value a line
  -w, --workspace NAME           another workspace than the one in use, by its name or id
  --data DIR                     data directory
  --wait SECONDS                 how long data that is in use is waited for (default 10)
  -q, --quiet                    no progress and no remarks
  --repository-token-file FILE   a token for this command alone; or VITRINE_REPOSITORY_TOKEN
  --rule-editor-token-file FILE  the same for the rule editor; or VITRINE_RULE_EDITOR_TOKEN
  --passphrase-file FILE         opens the sealed file of tokens; or VITRINE_PASSPHRASE
  -h, --help                     this`;

/** What stands before the command's name may be of every command alone. */
export interface NamedCommand {
  /** null: there is none. */
  name: string | null;
  rest: string[];
  asks: 'help' | 'version' | null;
  isJson: boolean;
  isQuiet: boolean;
}

export function findCommand(args: readonly string[]): NamedCommand {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: commonOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const first = tokens.find((token) => token.kind === 'positional');
  const asks = values.help ? 'help' : values.version ? 'version' : null;
  const told = { asks, isJson: values.json === true, isQuiet: values.quiet === true } as const;
  if (!first) return { ...told, name: null, rest: [...args] };
  return { ...told, name: first.value, rest: args.filter((_one, index) => index !== first.index) };
}

/** What somebody who would pass a secret as an argument would call it. */
const secretNames = /^--(?:[a-z-]+-)?(?:token|password|passphrase|secret)(?=$|=)/;

/** @throws UsageError for what the command does not know */
export function readOptions(
  args: readonly string[],
  own: ParseArgsOptionsConfig,
): { args: string[]; options: OptionValues } {
  const options: ParseArgsOptionsConfig = { ...commonOptions, ...own };
  const [secret] = args.flatMap((arg) => secretNames.exec(arg)?.[0] ?? []);
  if (secret !== undefined && !Object.hasOwn(options, secret.slice(2))) {
    wrongUsage(
      `${secret} does not exist: every process of this computer can read the arguments of a command. A secret comes from a file or from the environment, see --help`,
    );
  }
  requireOptions(args, options);
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      tokens: true,
    });
    requireOnce(
      tokens.flatMap((token) =>
        token.kind === 'option' && options[token.name]?.type === 'string' && !options[token.name]?.multiple
          ? [token.name]
          : [],
      ),
    );
    if (values.data === '') wrongUsage('--data: the directory has no name');
    return { args: positionals, options: onlyTexts(values) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return wrongUsage(error instanceof Error ? error.message.replace(/\.$/, '') : String(error));
  }
}

/** What is none is told with the one that is nearest to it. */
function requireOptions(args: readonly string[], options: ParseArgsOptionsConfig): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue;
    const asArgument = token.rawName.startsWith('--')
      ? ''
      : '; what begins with a minus and is no option stands behind "--"';
    wrongUsage(
      `there is no option "${token.rawName}"${suggestion(
        token.rawName,
        Object.keys(options).map((name) => `--${name}`),
      )}${asArgument}`,
    );
  }
}

/** Which of two values was meant nobody knows. */
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
