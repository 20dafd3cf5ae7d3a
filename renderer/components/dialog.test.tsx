import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** A dialog whose verb waits for an answer, and cannot be pressed meanwhile. */
function show() {
  const answer = Promise.withResolvers<void>();
  const forget = vi.fn<() => void>();
  function Question() {
    const [isOpen, setOpen] = useState(true);
    const [isBusy, setBusy] = useState(false);
    const begin = async (): Promise<void> => {
      forget();
      setBusy(true);
      await answer.promise;
      setBusy(false);
    };
    return (
      <Dialog
        title="Forget it?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button onPress={() => setOpen(false)}>Cancel</Button>
            <Button isDisabled={isBusy} onPress={() => void begin()}>
              Forget it
            </Button>
          </>
        }
      >
        It cannot be undone.
      </Dialog>
    );
  }
  render(<Question />);
  const verb = (): HTMLElement => screen.getByRole('button', { name: 'Forget it' });
  return { user: userEvent.setup(), forget, verb, answer: () => act(async () => answer.resolve()) };
}

test('the pressed button keeps the focus while it waits and is not pressed twice', async () => {
  const { user, forget, verb, answer } = show();
  await user.click(verb());
  expect(document.activeElement).toBe(verb());
  expect(verb().matches(':disabled')).toBe(false);
  expect(verb().getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  await user.click(verb());
  expect(forget).toHaveBeenCalledOnce();
  await answer();
  expect(document.activeElement).toBe(verb());
  await user.keyboard('{Enter}');
  expect(forget).toHaveBeenCalledTimes(2);
});

test('a waiting button leaves the tab order once the focus has left it', async () => {
  const { user, verb } = show();
  await user.click(verb());
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  expect(verb().matches(':disabled')).toBe(true);
});

test('Escape closes a dialog with a waiting button', async () => {
  const { user, verb } = show();
  await user.click(verb());
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});
