import '../test/page-surroundings.ts';
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { useToast } from '../components/toasts.tsx';
import { MemoryBridge } from '../test/memory-bridge.ts';
import { TestProviders } from '../test/test-providers.fixture.tsx';
import { useGlobalKeys } from './shortcuts.ts';

const undone: string[] = [];
beforeEach(() => void undone.splice(0));

function Page() {
  const report = useToast();
  useGlobalKeys({ toggleSidebar: vi.fn(), showKeys: vi.fn(), openPalette: vi.fn() });
  const muteAll = (): void =>
    ['a', 'b'].forEach((text) => report({ meaning: 'ok', text, undo: () => void undone.push(text) }));
  return (
    <>
      <button type="button" onClick={muteAll}>
        Mute
      </button>
      <input aria-label="Note" />
    </>
  );
}

async function mute() {
  const user = userEvent.setup();
  render(
    <TestProviders bridge={new MemoryBridge()}>
      <Page />
    </TestProviders>,
  );
  await user.click(screen.getByRole('button', { name: 'Mute' }));
  return user;
}

test('Ctrl Z undoes the last reported action, then the one before, and the focus stays', async () => {
  const user = await mute();
  await user.keyboard('{Control>}z{/Control}');
  expect(undone).toEqual(['b']);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Mute' }));
  await user.keyboard('{Control>}zz{/Control}');
  expect(undone).toEqual(['b', 'a']);
});

test('a held Ctrl Z undoes one action', async () => {
  await mute();
  for (const repeat of [false, true])
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'z', code: 'KeyZ', ctrlKey: true, repeat });
  expect(undone).toEqual(['b']);
});

test('Ctrl Z in a field stays the field’s own', async () => {
  const user = await mute();
  await user.type(screen.getByRole('textbox', { name: 'Note' }), 'x{Control>}z{/Control}');
  expect(undone).toEqual([]);
});
