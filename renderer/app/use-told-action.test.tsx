import '../test/page-surroundings.ts';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { BridgeProvider } from '../bridge/bridge-context.tsx';
import { ToastProvider } from '../components/toasts.tsx';
import { type GivenAnswers, host, MemoryBridge, muteUndo, sha256 } from '../test/memory-bridge.ts';
import { ExportSelectionDialog } from './export/export-selection-dialog.tsx';
import { MuteDialog } from './mutes/mute-dialog.tsx';

afterEach(cleanup);

type Ask = (close: () => void) => ReactNode;

/** Two dialogs of a kind, one after the other, with the answers of the first held back. */
function show(ask: Ask, answers: GivenAnswers) {
  function Page() {
    const [number, setNumber] = useState(1);
    const [isOpen, setOpen] = useState(true);
    return <>{isOpen && <div key={number}>{ask(() => setOpen(false))}</div>}<button type="button" onClick={() => { setNumber(2); setOpen(true); }}>another</button></>;
  }
  render(<BridgeProvider bridge={new MemoryBridge(answers)}><ToastProvider><Page /></ToastProvider></BridgeProvider>);
  const user = userEvent.setup();
  const press = async (name: string): Promise<void> => user.click(await screen.findByRole('button', { name }));
  return { user, press };
}

const mute: Ask = (close) => <MuteDialog workspaceId="lab" rule="config_xor" onClose={close} />;
const exporting: Ask = (close) => <ExportSelectionDialog selection={{ kind: 'samples', sha256s: [sha256] }} count={1} onClose={close} />;

test('a rule that is muted after its dialog was left is told with its Undo, and the dialog that is open by then stays', async () => {
  const answer = Promise.withResolvers<void>();
  const { user, press } = show(mute, {
    'mutes.add': async (draft) => {
      await answer.promise;
      return { ...draft, id: 1, created: '2026-11-18T14:21:00.000Z', ruleNow: 'same', hasExpired: false, undo: muteUndo, replaces: false };
    },
  });
  await user.type(await screen.findByRole('textbox', { name: 'Reason' }), 'noisy{Enter}');
  await press('Cancel');
  await press('another');
  await act(async () => answer.resolve());
  expect(await screen.findByText('config_xor is muted')).toBeDefined();
  expect(screen.getByRole('button', { name: /^Undo/, hidden: true })).toBeDefined();
  expect(screen.getByRole('dialog', { name: 'Mute config_xor?' })).toBeDefined();
});

test('an export that is refused after its dialog was left is told', async () => {
  const answer = Promise.withResolvers<void>();
  const { press } = show(exporting, {
    'host.describe': () => ({ ...host, exportFolder: '/exports' }),
    'exports.start': async () => {
      await answer.promise;
      return fail({ kind: 'data-gone', path: '/data' });
    },
  });
  await press('Export to the folder');
  await press('Not now');
  await act(async () => answer.resolve());
  expect(await screen.findByText(/^The export of 1 sample was not begun: /)).toBeDefined();
});
