import '../test/page-surroundings.ts';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { lazyDialog } from './lazy-dialog.tsx';

function Question({ title, onClose }: { title: string; onClose(): void }) {
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <Button onPress={onClose} takesFocus>
          No
        </Button>
      }
    >
      ?
    </Dialog>
  );
}

test('a lazy dialog appears when its code is loaded, and at once the next time', async () => {
  const code = Promise.withResolvers<typeof Question>();
  const Later = lazyDialog(() => code.promise);
  render(<Later title="Really" onClose={vi.fn()} />);
  expect(screen.queryByRole('dialog')).toBeNull();
  code.resolve(Question);
  expect(await screen.findByRole('dialog', { name: 'Really' })).toBeDefined();
  cleanup();
  render(<Later title="Again" onClose={vi.fn()} />);
  expect(screen.getByRole('dialog', { name: 'Again' })).toBeDefined();
});

test('a lazy dialog reports a failed load, stays during a retry, and can be closed', async () => {
  const user = userEvent.setup();
  let code = Promise.reject<typeof Question>(new TypeError('Failed to fetch dynamically imported module'));
  const Later = lazyDialog(() => code);
  const close = vi.fn<() => void>();
  render(<Later title="Really" onClose={close} />);
  expect(await screen.findByRole('dialog', { name: 'The dialog could not be loaded' })).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' })));
  const second = Promise.withResolvers<typeof Question>();
  code = second.promise;
  await user.click(screen.getByRole('button', { name: 'Reload view' }));
  expect(screen.getByRole('dialog', { name: 'The dialog could not be loaded' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(close).toHaveBeenCalledOnce();
  second.resolve(Question);
  expect(await screen.findByRole('dialog', { name: 'Really' })).toBeDefined();
});
