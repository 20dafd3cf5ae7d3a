import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { found, lab, md5, sha256 } from '../../test/quiet-host.ts';
import { known, openSample } from './open-sample.fixture.tsx';

const name = (): Promise<HTMLElement> => screen.findByRole('heading', { level: 2, name: 'update_helper.dll' });
const part = (title: string) => within(screen.getByRole('region', { name: title }));

describe('the records view', () => {
  const team = { ...lab, id: 'team', name: 'Team', builtIn: false };
  const records = [
    { workspaceId: 'team', readAt: '2026-11-19T10:00:00.000Z', record: { ...found.record, uploader: 'somebody' } },
    ...known.records,
  ];

  test('offers the records of several workspaces, the current one first', async () => {
    const { user } = openSample(
      { records },
      { 'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }) },
    );
    await name();
    expect(part('Record').getByText('desk-4')).toBeDefined();
    await user.click(part('Record').getByRole('button', { name: 'Record from Lab (this computer)' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Team' }));
    expect(await part('Record').findByText('somebody')).toBeDefined();
  });

  test('leaves all actions of the sample to the current workspace while it shows another one’s record', async () => {
    const { user, bridge } = openSample(
      { row: { ...known.row, vault: 'none' }, records: records.slice(0, 1) },
      { 'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }) },
    );
    await name();
    expect(await part('Record').findByText('somebody')).toBeDefined();
    await user.keyboard('d');
    await waitFor(() => expect(bridge.inputsOf('downloads.start')).toEqual([{ workspaceId: 'lab', md5 }]));
    expect(bridge.inputsOf('samples.hits')).toEqual([{ workspaceId: 'lab', sha256 }]);
    expect(bridge.inputsOf('comments.thread')).toEqual([
      { workspaceId: 'lab', md5, window: { moment: expect.any(String), offset: 0, limit: 500 } },
    ]);
    await user.click(part('Record').getByRole('button', { name: /^Fetch from Lab \(this computer\)/ }));
    await waitFor(() =>
      expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: md5, firstComments: 0 }]),
    );
  });

  test('refreshes a chosen record of another workspace there, and the button names that workspace', async () => {
    const { user, bridge } = openSample(
      { records },
      { 'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }) },
    );
    await name();
    expect(part('Record').getByRole('button', { name: /^Refresh/ })).toBeDefined();
    await user.click(part('Record').getByRole('button', { name: 'Record from Lab (this computer)' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Team' }));
    await user.click(await part('Record').findByRole('button', { name: /^Fetch from Team/ }));
    await waitFor(() =>
      expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'team', hash: md5, firstComments: 0 }]),
    );
  });

  test('shows no severity of another sample with the same MD5, and leads to it', async () => {
    const { user, bridge } = openSample({ sameMd5: ['f'.repeat(64), md5] });
    await name();
    const hashes = part('Hashes');
    expect(hashes.getByText('2 other samples here have this MD5')).toBeDefined();
    expect(hashes.getByRole('button', { name: 'Open the one without a SHA-256' })).toBeDefined();
    await user.click(hashes.getByRole('button', { name: 'Open SHA-256 ffffffffffff…' }));
    expect(screen.getByTestId('view').textContent).toBe('library');
    expect(bridge.inputsOf('samples.lookup')).toEqual([]);
  });

  test('cuts a tag of a service that is too long to read, with all of it one press away', async () => {
    const long = `note:${'x'.repeat(2995)}`;
    const { user } = openSample({
      row: { ...known.row, serviceTags: [] },
      records: [{ workspaceId: 'lab', readAt: '2026-11-18T14:21:00.000Z', record: { ...found.record, tags: [long] } }],
    });
    await name();
    const chip = () => part('Tags').getByRole('button', { name: /^note:xx/ });
    expect(chip().textContent).toHaveLength(100);
    expect(chip().querySelector('[title]')?.getAttribute('title')).toBe(long);
    await user.click(part('Tags').getByRole('button', { name: 'Show all 3,000 characters' }));
    expect(chip().textContent).toBe(long);
    expect(part('Tags').queryByRole('button', { name: /^Show all/ })).toBeNull();
  });

  test('has lines for the type and the size before the bytes are here', async () => {
    const { sha1, md5: same } = known.row;
    const waiting = openSample({
      row: { ...known.row, sha1, md5: same, vault: 'none', type: null, sizeBytes: null },
      records: [
        { workspaceId: 'lab', readAt: '2026-11-18T14:21:00.000Z', record: { ...found.record, sizeBytes: null } },
      ],
    });
    await name();
    const lines = (): (string | null)[] =>
      part('Record')
        .getAllByRole('term')
        .map(({ textContent }) => textContent);
    const before = lines();
    expect(part('Record').getAllByText('not known yet')).toHaveLength(2);
    waiting.unmount();
    openSample({
      records: [
        { workspaceId: 'lab', readAt: '2026-11-18T14:21:00.000Z', record: { ...found.record, sizeBytes: null } },
      ],
    });
    await name();
    expect(lines()).toEqual(before);
    expect(part('Record').queryByText('not known yet')).toBeNull();
  });

  test('keeps records of a removed workspace, and refreshes them from an existing one', async () => {
    const { user, bridge } = openSample({ records: records.slice(0, 1) });
    await name();
    expect(await part('Record').findByText('Its workspace was removed')).toBeDefined();
    await user.keyboard('r');
    await waitFor(() =>
      expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: md5, firstComments: 0 }]),
    );
  });

  test('shows the server warning that came before a record', async () => {
    const warned = {
      ...found.record,
      uploader: 'somebody',
      warning: 'Notice: Undefined index in core.php on line 214',
    };
    openSample({ records: [{ workspaceId: 'lab', readAt: '2026-11-19T10:00:00.000Z', record: warned }] });
    await name();
    const notice = await part('Record').findByRole('note');
    expect(notice.textContent).toContain('behind a server warning');
    expect(notice.textContent).toContain('core.php on line 214');
  });

  test('shows the failure of a service beside the record that stays', async () => {
    const { user } = openSample(
      {},
      { 'samples.lookup': () => fail({ kind: 'unknown-hash', service: 'repository', hash: md5 }) },
    );
    await name();
    await user.keyboard('r');
    expect((await part('Record').findByRole('alert')).textContent).toContain('does not know this hash');
    expect(part('Record').getByText('desk-4')).toBeDefined();
    expect(screen.getByTestId('last-answer').textContent).toBe('lab: unknown-hash');
  });

  test('notes a refreshed record as the last answer of its service', async () => {
    const { user } = openSample();
    await name();
    await user.keyboard('r');
    await waitFor(() => expect(screen.getByTestId('last-answer').textContent).toBe('lab: none'));
  });
});
