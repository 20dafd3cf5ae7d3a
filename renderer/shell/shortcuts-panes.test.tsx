import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { focusNextPane } from './shortcuts.ts';

// jsdom lays nothing out.
beforeEach(
  () =>
    void vi
      .spyOn(Element.prototype, 'getClientRects')
      .mockReturnValue(Object.assign([], { length: 1, item: () => null })),
);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function show(view: ReactNode): void {
  render(
    <>
      <header data-pane>
        <button type="button">bar</button>
      </header>
      <nav data-pane>
        <button type="button">rail</button>
      </nav>
      <main data-pane>{view}</main>
    </>,
  );
}

/** What has the focus after each of so many steps. */
const walk = (step: 1 | -1, count: number): (string | undefined)[] =>
  Array.from({ length: count }, () => (focusNextPane(step), document.activeElement?.textContent?.trim()));

const panesOnly = (
  <>
    <header data-pane>
      <button type="button">head</button>
    </header>
    <section data-pane>
      <button type="button">list</button>
    </section>
  </>
);

test('focus moves through the panes of a view in both directions, past the one around them', () => {
  show(panesOnly);
  expect(walk(1, 5)).toEqual(['bar', 'rail', 'head', 'list', 'bar']);
  expect(walk(-1, 5)).toEqual(['list', 'head', 'rail', 'bar', 'list']);
});

test('content before the panes of a view is a focus target of its own', () => {
  show(
    <>
      <button type="button">notice</button>
      {panesOnly}
    </>,
  );
  expect(walk(1, 5)).toEqual(['bar', 'rail', 'notice', 'head', 'list']);
  expect(walk(-1, 4)).toEqual(['head', 'notice', 'rail', 'bar']);
});

test('focus from behind the panes of a view continues as from the view', () => {
  show(
    <>
      {panesOnly}
      <footer>
        <button type="button">foot</button>
      </footer>
    </>,
  );
  screen.getByRole('button', { name: 'foot' }).focus();
  expect(walk(1, 1)).toEqual(['head']);
  screen.getByRole('button', { name: 'foot' }).focus();
  expect(walk(-1, 1)).toEqual(['rail']);
});

test('a pane without a focusable element takes the focus itself', () => {
  show(<section data-pane>words</section>);
  expect(walk(1, 3)).toEqual(['bar', 'rail', 'words']);
  expect(document.activeElement).toBe(screen.getByText('words'));
  expect(walk(-1, 1)).toEqual(['rail']);
});
