import '../test/page-surroundings.ts';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../test/open-page.fixture.tsx';
import { sha256 } from '../test/quiet-host.ts';

test('a case without the bytes of some samples reports that when done, in whichever view the person is', async () => {
  const { bridge } = await open();
  act(() =>
    bridge.emit('cases.left', { fileName: 'case.json', withoutBytes: 2, failure: { kind: 'vault-damaged', sha256 } }),
  );
  expect((await screen.findByText(/^case.json was saved without the files of 2 samples/)).textContent).toContain(
    'damaged',
  );
});
