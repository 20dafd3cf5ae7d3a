import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../../test/open-page.fixture.tsx';
import { found, md5, sha1, sha256 } from '../../test/quiet-host.ts';
import { openedRow, triageHost } from '../../test/triage-host.fixture.ts';
import type { HashReader } from '../bulk-download/hash-reader.ts';
import { inlineHashReader } from '../bulk-download/inline-hash-reader.fixture.ts';

const many = `${md5} ${sha1} ${sha256}`;

/** How often the readers were closed. */
function watchedReader(): { openReader: () => HashReader; closed(): number } {
  let closed = 0;
  const openReader = (): HashReader => {
    const reader = inlineHashReader();
    return {
      ...reader,
      close: () => {
        closed += 1;
        reader.close();
      },
    };
  };
  return { openReader, closed: () => closed };
}

test('the reader of a text lets it go once its table is left', async () => {
  const { openReader, closed } = watchedReader();
  const { lookUp } = await open({ ...triageHost(), 'samples.lookup': () => found }, openReader);
  await lookUp(many);
  await openedRow(md5);
  const whileShown = closed();
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await waitFor(() => expect(closed()).toBeGreaterThan(whileShown));
});

const prose = 'a long report without any of them '.repeat(1000);

test.each([
  ['one hash', [{ kind: 'md5' as const, value: md5, line: 1, column: 1 }], md5],
  ['no hash', [], ''],
])(
  'a long text with %s is read by its thread alone, and the field shows no more than a hash',
  async (_, hashes, field) => {
    const reader: HashReader = {
      read: async () => ({
        kind: 'read',
        summary: { lines: 1, found: hashes.length, repeated: 0, rejected: [], rejectedCount: 0 },
      }),
      lines: async () => [],
      found: async () => hashes,
      close: () => {},
    };
    // What the page itself would find in it is another one.
    const { lookUp, bridge, field: input } = await open({}, () => reader);
    await lookUp(`${prose}${sha256} ${sha1}`);
    if (field === '') await screen.findByText('No hash found in this text');
    else await waitFor(() => expect(bridge.inputsOf('samples.lookup')).toMatchObject([{ hash: field }]));
    expect(input).toHaveProperty('value', field);
  },
);

test('a text that the reader has no memory for is reported, and can be tried again', async () => {
  let tries = 0;
  const reader = (): HashReader => ({
    ...inlineHashReader(),
    read: async () => {
      tries += 1;
      return { kind: 'refused', refusal: { kind: 'unreadable' } };
    },
  });
  const { lookUp, user } = await open(triageHost(), reader);
  await lookUp(many);
  expect((await screen.findByRole('alert')).textContent).toContain('This text could not be read');
  await user.click(screen.getByRole('button', { name: /^Try again/ }));
  await waitFor(() => expect(tries).toBe(2));
});
