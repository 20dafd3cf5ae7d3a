import '../../test/page-surroundings.ts';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SecretsState } from '../../../shared/domain/host.ts';
import { fail } from '../../../shared/failure.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { host, md5 } from '../../test/quiet-host.ts';

test('a look-up reports locked tokens; a wrong passphrase keeps them so, and the right one unlocks', async () => {
  let secrets: SecretsState = { store: 'sealed-file', state: 'locked', backend: null };
  const { user, bridge, lookUp } = await open({
    'host.describe': () => ({ ...host, secrets }),
    'samples.lookup': () => fail({ kind: 'secrets-locked' }),
    'secrets.unlock': ({ passphrase }) =>
      passphrase === 'right' ? (secrets = { ...secrets, state: 'open' }) : fail({ kind: 'passphrase-wrong' }),
  });
  await lookUp(md5);
  expect((await screen.findByRole('alert')).textContent).toContain('The token store is locked');
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('button', { name: 'Tokens' }));
  const field = await screen.findByLabelText('Passphrase');
  await user.type(field, 'wrong{Enter}');
  expect(await screen.findByText('Wrong passphrase')).toBeDefined();
  await user.clear(field);
  await user.type(field, 'right{Enter}');
  act(() => bridge.emit('secrets.changed', secrets));
  expect(await screen.findByText(/^Tokens are in the sealed file/)).toBeDefined();
});
