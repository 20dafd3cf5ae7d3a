import { expect, test } from 'vitest';
import { takeSecrets } from './given-secrets.ts';

test('every secret is taken out of the environment, whichever command runs', () => {
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
