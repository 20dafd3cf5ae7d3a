import '../../test/page-surroundings.ts';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ConnectionTest } from '../../../shared/domain/server-action.ts';
import { ConnectionTests } from './connection-tests.tsx';

const old: ConnectionTest = {
  service: 'repository',
  reachable: true,
  trusted: true,
  tokenAccepted: true,
  failure: null,
  actions: [
    { action: 'getfile', answers: false },
    { action: 'downloadfile', answers: true },
    { action: 'updatefile', answers: true },
    { action: 'getfiles', answers: true },
  ],
};

test('the connection test of an old server lists what can be used there, and in plain words what is missing', () => {
  render(<ConnectionTests tests={[old]} mayUse={false} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Reachable',
    'Certificate trusted',
    'Token accepted',
    'Usable: download',
    'Turned off in this workspace: search',
    'Missing at this server: reading records, changes to records',
  ]);
});
