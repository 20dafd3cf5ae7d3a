import { expect, test } from 'vitest';
import { refusedSecret, takeSecrets } from './given-secrets.ts';

test('every secret is removed from the environment, whichever command runs', () => {
  const secrets = Object.fromEntries(
    [
      'VITRINE_REPOSITORY_TOKEN',
      'VITRINE_RULE_EDITOR_TOKEN',
      'VITRINE_PASSPHRASE',
      'VITRINE_TOKEN',
      'VITRINE_ZIP_PASSWORD',
      'VITRINE_BUNDLE_PASSPHRASE',
      'VITRINE_NEW_PASSPHRASE',
    ].map((name) => [name, `secret of ${name}`]),
  );
  const environment: NodeJS.ProcessEnv = { ...secrets, PATH: '/bin' };
  expect(Object.fromEntries(takeSecrets(environment))).toEqual(secrets);
  expect(environment).toEqual({ PATH: '/bin' });
});

test.each([
  ['repository-token', '--repository-token-file FILE or VITRINE_REPOSITORY_TOKEN'],
  ['rule-editor-token', '--rule-editor-token-file FILE or VITRINE_RULE_EDITOR_TOKEN'],
  ['token', '--repository-token-file FILE or VITRINE_REPOSITORY_TOKEN'],
  ['password', '--password-file FILE or VITRINE_ZIP_PASSWORD'],
  ['passphrase', '--passphrase-file FILE or VITRINE_PASSPHRASE'],
  ['secret', 'a file or an environment variable'],
])('an argument --%s is refused with the right place for the secret', (option, place) => {
  const known = ['repository-token-file', 'rule-editor-token-file', 'passphrase-file', 'password-file'];
  const kind = option.split('-').at(-1);
  expect(refusedSecret(option, known)).toBe(
    `${kind}s are not accepted as arguments, because other processes can read them. Use ${place}`,
  );
});

test('a refused token of "workspace token" names the option for its own file', () => {
  expect(refusedSecret('token', ['from', 'repository-token-file'])).toContain('Use --from FILE or VITRINE_TOKEN');
});
