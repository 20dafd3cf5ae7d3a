import type { ServiceName } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';
import { wrongUsage } from './exit.ts';
import { textOf } from './option-values.ts';

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
const placesOfCommands = [
  { option: 'from', variable: 'VITRINE_TOKEN' },
  { option: 'password-file', variable: 'VITRINE_ZIP_PASSWORD' },
  { option: 'bundle-passphrase-file', variable: 'VITRINE_BUNDLE_PASSPHRASE' },
  { option: 'new-passphrase-file', variable: 'VITRINE_NEW_PASSPHRASE' },
  { option: 'proxy-password-file', variable: 'VITRINE_PROXY_PASSWORD' },
  { option: 'basic-password-file', variable: 'VITRINE_BASIC_PASSWORD' },
  { option: 'client-key-passphrase-file', variable: 'VITRINE_CLIENT_KEY_PASSPHRASE' },
];
const longestSecret = 4096;

type Given = Pick<CommandRun, 'options' | 'secrets' | 'signal'>;

/** Secrets of the environment, taken out of it: processes that are started inherit none. */
export function takeSecrets(environment: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  for (const { variable } of [...tokenPlaces, passphrasePlace, ...placesOfCommands]) {
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

/**
 * What `--token VALUE` and the like are refused with, by the option without its dashes; `known` are the options that
 * the command takes.
 */
export function refusedSecret(option: string, known: readonly string[]): string {
  const kind = /(?:token|password|passphrase|secret)$/.exec(option)?.[0] ?? 'secret';
  const places = [...placesOfCommands, ...tokenPlaces, passphrasePlace].filter((place) => known.includes(place.option));
  const place =
    places.find((one) => one.option === `${option}-file`) ??
    places.find((one) => one.variable.endsWith(`_${kind.toUpperCase()}`));
  const instead = place ? `Use --${place.option} FILE or ${place.variable}` : 'Use a file or an environment variable';
  return `${kind}s are not accepted as arguments, because other processes can read them. ${instead}`;
}

/** Never shown: that it is wrong is all that is said. */
function checked(secret: string | null, place: string): string | null {
  if (secret !== null && (secret === '' || secret.length > longestSecret || /[\r\n\0]/.test(secret)))
    wrongUsage(`${place} must be one line of at most ${longestSecret} characters`);
  return secret;
}
