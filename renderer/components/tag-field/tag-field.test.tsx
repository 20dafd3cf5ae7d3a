import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import type { TagFieldProps } from './tag-field-typing.ts';
import { TagField } from './tag-field.tsx';

// jsdom lays nothing out.
beforeEach(() => {
  HTMLElement.prototype.scrollIntoView = () => {};
});

interface Given extends Partial<TagFieldProps> {
  has?: readonly string[];
}

/** A field over tags that change, with something before and after it, and a table's row around it. */
function show({ has = [], ...given }: Given = {}) {
  const user = userEvent.setup();
  const shown: (readonly string[])[] = [];
  const keys: string[] = [];
  const levels: TlpLevel[] = [];
  function Page() {
    const [tags, setTags] = useState(has);
    useEffect(() => void shown.push(tags), [tags]);
    return (
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- replaces the table, which hears keys
      <div onKeyDown={({ key }) => keys.push(key)}>
        <button type="button">before</button>
        <TagField
          label="Tags of a.js"
          tags={tags}
          onAdd={(tag) => setTags((before) => [...before, tag])}
          onRemove={(tag) => setTags((before) => before.filter((one) => one !== tag))}
          suggest={async () => []}
          onTlp={(level) => levels.push(level)}
          {...given}
        />
        <button type="button">after</button>
      </div>
    );
  }
  render(<Page />);
  const field = () => screen.getByRole('combobox', { name: 'Tags of a.js' });
  return { user, keys, levels, field, tags: () => shown.at(-1) };
}

const named = (name: string) => screen.getByRole('button', { name });

test.each(['{Enter}', '{Tab}', ','])('%s ends a tag, and the field stays ready for the next', async (key) => {
  const { user, field, tags } = show();
  await user.type(field(), `  Family:Quillpost${key}`);
  expect(tags()).toEqual(['family:quillpost']);
  expect(document.activeElement).toBe(field());
  expect(field()).toHaveProperty('value', '');
});

test('Tab leaves the field when nothing is typed', async () => {
  const { user, field } = show({ has: ['a'] });
  await user.click(field());
  await user.tab();
  expect(document.activeElement).toBe(named('after'));
});

test('a pasted list becomes its tags without duplicates', async () => {
  const { user, field, tags } = show({ has: ['b'] });
  await user.click(field());
  await user.paste('A, b\nc\n\nA');
  expect(tags()).toEqual(['b', 'a', 'c']);
});

test.each([
  ['a, b; c', ['a', 'b', 'c']],
  ['x; y z;', ['x', 'y z']],
  ['a;b', ['a;b']],
])('a pasted list %j is split into tags at commas and semicolons', async (pasted, expected) => {
  const { user, field, tags } = show();
  await user.click(field());
  await user.paste(pasted);
  await user.keyboard('{Enter}');
  expect(tags()).toEqual(expected);
});

test('a space is part of a tag, as in the services, and a hint shows that during typing', async () => {
  const { user, field, tags } = show();
  await user.type(field(), 'family:agent ');
  expect(field().getAttribute('aria-describedby')).toBeNull();
  await user.keyboard('t');
  expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Tags may contain spaces. Enter or a comma ends a tag.',
  );
  await user.keyboard('esla{Enter}');
  expect(tags()).toEqual(['family:agent tesla']);
  expect(field().getAttribute('aria-describedby')).toBeNull();
});

test('a TLP typed as a tag sets the TLP', async () => {
  const { user, field, tags, levels } = show();
  await user.type(field(), 'TLP:Red{Enter}');
  expect([tags(), levels]).toEqual([[], ['red']]);
});

test('an invalid tag stays in the field with the reason, and Tab is held once', async () => {
  const { user, field, tags } = show();
  await user.type(field(), 'tlp:purple');
  await user.tab();
  expect(document.activeElement).toBe(field());
  expect(field()).toHaveProperty('value', 'tlp:purple');
  expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
    /^Valid TLP levels: /,
  );
  await user.tab();
  expect(document.activeElement).toBe(named('after'));
  expect(tags()).toEqual([]);
});

test('Backspace removes the last tag only when nothing is typed', async () => {
  const { user, field, tags } = show({ has: ['a', 'b'] });
  await user.type(field(), 'x{Backspace}');
  expect(tags()).toEqual(['a', 'b']);
  await user.keyboard('{Backspace}');
  expect(tags()).toEqual(['a']);
});

test('the arrow keys reach each chip, and removing one moves the focus to its neighbour', async () => {
  const { user, field, tags } = show({ has: ['a', 'b', 'c'] });
  await user.click(field());
  await user.keyboard('{ArrowLeft}{ArrowLeft}{Delete}');
  expect(tags()).toEqual(['a', 'c']);
  expect(document.activeElement).toBe(named('Remove c'));
  await user.keyboard('{Delete}{Delete}');
  expect(tags()).toEqual([]);
  expect(document.activeElement).toBe(field());
});

test('a key held after the last character or on a chip removes no further tag', async () => {
  const { user, field, tags } = show({ has: ['a', 'b', 'c'] });
  const held = (key: string): boolean =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, repeat: true });
  await user.type(field(), 'x{Backspace}');
  held('Backspace');
  await user.keyboard('{ArrowLeft}{Delete}');
  expect(document.activeElement).toBe(named('Remove b'));
  // What is not prevented of Enter the browser makes a press of.
  expect(['Backspace', 'Delete', 'Enter'].map(held)).toEqual([false, false, false]);
  expect(tags()).toEqual(['a', 'b']);
});

test('known tags are requested when typing pauses, and chosen by keys or the pointer', async () => {
  const suggest = vi.fn(async (beginning: string) => [`${beginning}:one`, `${beginning}:two`]);
  const { user, field, tags } = show({ suggest });
  await user.type(field(), 'fam');
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['fam:one', 'fam:two']);
  expect(suggest.mock.calls).toEqual([['fam']]);
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(tags()).toEqual(['fam:two']);
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('fam');
  await user.click(await screen.findByRole('option', { name: 'fam:one' }));
  expect(tags()).toEqual(['fam:two', 'fam:one']);
  expect(document.activeElement).toBe(field());
});

test('an outdated answer is not shown', async () => {
  const late = Promise.withResolvers<readonly string[]>();
  const suggest = vi.fn((beginning: string) => (beginning === 'a' ? late.promise : Promise.resolve([`${beginning}!`])));
  const { user, field } = show({ suggest });
  await user.type(field(), 'a');
  await waitFor(() => expect(suggest).toHaveBeenCalledTimes(1));
  await user.keyboard('b');
  await screen.findByRole('option', { name: 'ab!' });
  await act(async () => late.resolve(['a late']));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['ab!']);
});

test('tags of the repository follow the local ones, which do not wait for them, and are marked', async () => {
  const late = Promise.withResolvers<readonly string[]>();
  const { user, field, tags } = show({
    has: ['abd'],
    suggest: async () => ['abc'],
    suggestOfRepository: () => late.promise,
  });
  await user.type(field(), 'ab');
  expect((await screen.findByRole('option')).textContent).toBe('abc');
  await act(async () => late.resolve(['abc', 'abd', 'abe']));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['abc', 'aberepository']);
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(tags()).toEqual(['abd', 'abe']);
});

test('Escape closes the list first, then discards the typed text', async () => {
  const { user, field, tags } = show({ suggest: async () => ['abc'] });
  await user.type(field(), 'ab');
  await screen.findByRole('option');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('option')).toBeNull();
  expect(field()).toHaveProperty('value', 'ab');
  await user.keyboard('{Escape}');
  await user.tab();
  expect(tags()).toEqual([]);
});

test('Escape in an empty field leaves the field if supported, and is passed on otherwise', async () => {
  const { user, field, tags } = show({ onEscape: () => named('before').focus() });
  await user.type(field(), 'ab{Escape}');
  expect(document.activeElement).toBe(field());
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(named('before'));
  expect(tags()).toEqual([]);
  cleanup();
  const alone = show();
  await alone.user.type(alone.field(), '{Escape}');
  expect(alone.keys).toEqual(['Escape']);
});

test('a complete tag is kept when the focus leaves the field', async () => {
  const { user, field, tags } = show();
  await user.type(field(), 'macro');
  await user.click(named('before'));
  expect(tags()).toEqual(['macro']);
});

test('the chips in a row are a button that becomes the field and keeps its keys from the table', async () => {
  const { user, field, tags, keys } = show({ size: 'row', has: ['a'] });
  await user.click(named('Tags of a.js: a'));
  expect(document.activeElement).toBe(field());
  await user.keyboard('b{Enter}{Enter}');
  expect(tags()).toEqual(['a', 'b']);
  expect(document.activeElement).toBe(named('Tags of a.js: a, b'));
  expect(keys).toEqual(['b']);
});

test('Escape in a row discards the typed text, also when a table handles the key first', async () => {
  const { user, tags } = show({ size: 'row' });
  const table = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    named('before').focus();
  };
  document.body.addEventListener('keydown', table, { capture: true });
  await user.click(named('Tags of a.js: no tags'));
  await user.keyboard('wrong{Escape}');
  document.body.removeEventListener('keydown', table, { capture: true });
  expect(tags()).toEqual([]);
  expect(named('Tags of a.js: no tags')).toBeDefined();
});

test('the arrow keys pass over a button that a chip is drawn in, which keeps its own press', async () => {
  const pressed: string[] = [];
  const { user, field, tags } = show({
    has: ['a', 'b', 'c'],
    drawChip: (tag, chip) => (
      <button type="button" onClick={() => pressed.push(tag)}>
        {chip}
      </button>
    ),
  });
  await user.click(named('b'));
  expect(pressed).toEqual(['b']);
  expect(document.activeElement).toBe(named('b'));
  await user.click(field());
  await user.keyboard('{ArrowLeft}');
  expect(document.activeElement).toBe(named('Remove c'));
  await user.keyboard('{ArrowLeft}{Delete}');
  expect(tags()).toEqual(['a', 'c']);
  expect(document.activeElement).toBe(named('Remove c'));
  await user.keyboard('{ArrowLeft}{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(field());
});
