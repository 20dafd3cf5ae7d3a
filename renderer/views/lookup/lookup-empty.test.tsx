import '../../test/page-surroundings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../../test/open-page.fixture.tsx';
import { md5 } from '../../test/quiet-host.ts';

test('a sample file of the lab is looked up from the list shown before the first look-up', async () => {
  const { user, bridge } = await open({
    'lab.sampleFiles': () => ({ sampleFiles: [{ md5, name: 'update_helper.dll', sizeBytes: 2 }] }),
  });
  await user.click(await within(await screen.findByRole('table')).findByRole('button', { name: 'update_helper.dll' }));
  await waitFor(() => expect(bridge.inputsOf('samples.lookup')).toMatchObject([{ hash: md5 }]));
  expect(await screen.findByRole('heading', { name: 'update_helper.dll' })).toBeDefined();
});
