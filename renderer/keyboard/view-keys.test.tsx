import '../test/page-surroundings.ts';
import { fireEvent, render } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { expect, test } from 'vitest';
import { useUnfocusedKey } from './view-keys.ts';

function Shown({ onKey }: { onKey(key: string): void }) {
  useUnfocusedKey(({ key }) => onKey(key));
  return <input aria-label="field" />;
}

/** Presses Escape as soon as all is in the page, before anything is drawn. */
function QuickHand() {
  useLayoutEffect(() => void fireEvent.keyDown(document.body, { key: 'Escape' }), []);
  return null;
}

test('a key pressed as soon as its view is shown is handled, even before it is drawn', () => {
  const keys: string[] = [];
  render(
    <>
      <Shown onKey={(key) => keys.push(key)} />
      <QuickHand />
    </>,
  );
  expect(keys).toEqual(['Escape']);
});

test('a key in a field is not handled, nor any after the view is unmounted', () => {
  const keys: string[] = [];
  const { getByLabelText, unmount } = render(<Shown onKey={(key) => keys.push(key)} />);
  fireEvent.keyDown(getByLabelText('field'), { key: 'a' });
  fireEvent.keyDown(document.body, { key: 'b' });
  unmount();
  fireEvent.keyDown(document.body, { key: 'c' });
  expect(keys).toEqual(['b']);
});
