import type { ServiceName } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';
import { textOf } from './option-values.ts';
import { wrongUsage } from './usage-error.ts';

/** What was given for one command. Kept in memory, and in no log. */
export interface GivenSecrets {
  tokens: ReadonlyMap<ServiceName, string>;
  passphrase: string | null;
}

const tokenPlaces: readonly { service: ServiceName; option: string; variable: string }[] = [
  { service: 'repository', option: 'repository-token-file', variable: 'VITRINE_REPOSITORY_TOKEN' },
  { service: 'rule-editor', option: 'rule-editor-token-file', variable: 'VITRINE_RULE_EDITOR_TOKEN' },
];
const passphrasePlace = { option: 'passphrase-file', variable: 'VITRINE_PASSPHRASE' };
/** Those that single commands ask for (`givenSecret`). */
const variablesOfCommands = [
  'VITRINE_TOKEN',
  'VITRINE_ZIP_PASSWORD',
  'VITRINE_BUNDLE_PASSPHRASE',
  'VITRINE_NEW_PASSPHRASE',
];
const longestSecret = 4096;

type Given = Pick<CommandRun, 'options' | 'secrets' | 'signal'>;

/** Secrets of the environment, taken out of it: processes that are started inherit none. */
export function takeSecrets(environment: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  for (const variable of [
    ...[...tokenPlaces, passphrasePlace].map((place) => place.variable),
    ...variablesOfCommands,
  ]) {
    const value = environment[variable];
    if (value) taken.set(variable, value);
    delete environment[variable];
  }
  return taken;
}

/**
 * A file goes before the environment. @throws UsageError for a file that cannot be read, and for what can be no token
 */
export async function givenSecrets(given: Given): Promise<GivenSecrets> {
  const tokens = new Map<ServiceName, string>();
  for (const place of tokenPlaces) {
    const token = await secretFrom(place, given);
    if (token !== null) tokens.set(place.service, token);
  }
  return { tokens, passphrase: await secretFrom(passphrasePlace, given) };
}

async function secretFrom(
  { option, variable }: typeof passphrasePlace,
  { options, secrets, signal }: Given,
): Promise<string | null> {
  const path = textOf(options, option);
  if (path === null) return checked(secrets.get(variable) ?? null, variable);
  const { fileText } = await import('./file-input.ts');
  const text = await fileText({ path, option, signal });
  return checked(text.replace(/\r?\n$/, ''), `--${option}`);
}

/** Never shown: that it is wrong is all that is said. */
function checked(secret: string | null, place: string): string | null {
  if (secret !== null && (secret === '' || secret.length > longestSecret || /[\r\n\0]/.test(secret)))
    wrongUsage(`${place} must be one line of at most ${longestSecret} characters`);
  return secret;
}
