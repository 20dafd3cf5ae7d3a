import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Comment, Json } from '../../shared/domain/sample.ts';
import { CommentThread } from './comment-thread.tsx';
import { JsonTree } from './json-tree.tsx';
import { LongText, orderedTags, piecesOf, SampleName, splitName, TagChip, TimeText } from './service-text.tsx';

const comment = (content: string, over: Partial<Comment> = {}): Comment => ({
  id: '1',
  parentId: null,
  author: 'm',
  content,
  created: null,
  ...over,
});

test('a comment with markup and an address is plain text without a link', () => {
  render(<CommentThread comments={[comment('<a href="https://evil.example/x">click</a> https://evil.example/y')]} />);
  expect(document.querySelector('a')).toBeNull();
  expect(document.body.textContent).toContain('hxxps://evil[.]example/y');
});

test('a reply deeper than the maximum indent names its recipient', () => {
  const chain = ['a', 'b', 'c', 'd', 'e'].map((id, index, all) =>
    comment(id, { id, author: id, parentId: index === 0 ? null : (all[index - 1] ?? null) }),
  );
  render(<CommentThread comments={chain} />);
  expect(screen.getByText('to d')).toBeDefined();
  expect(screen.queryByText('to c')).toBeNull();
});

test.each([
  ['one line', 'x'.repeat(2500), [1000, 1000, 500]],
  ['lines', `${'x'.repeat(700)}\n`.repeat(3), [701, 701, 701]],
  ['words', 'four '.repeat(300), [1000, 500]],
  ['characters of two units', `a${'😀'.repeat(700)}`, [999, 402]],
  ['a break at its beginning only', ` ${'x'.repeat(1500)}`, [1000, 501]],
])('a long text of %s is cut where it can be, and is whole when joined', (_what, text, lengths) => {
  const pieces = piecesOf(text);
  expect(pieces.map(({ length }) => length)).toEqual(lengths);
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
});

test('a long text is drawn in pieces, and a short one in none', () => {
  const { container } = render(<LongText text={'v'.repeat(5000)} charactersShown={9000} />);
  expect([...container.querySelectorAll('span')].map((piece) => piece.textContent?.length)).toEqual(
    Array.from({ length: 5 }, () => 1000),
  );
  expect(render(<LongText text="short" charactersShown={9000} />).container.querySelector('span')).toBeNull();
});

test('a comment of a megabyte is drawn truncated, and whole on request', async () => {
  render(<CommentThread comments={[comment('x'.repeat(1_000_000))]} />);
  expect(document.body.textContent?.length).toBeLessThan(10_000);
  await userEvent.click(screen.getByRole('button', { name: 'Show all 1,000,000 characters' }));
  expect(document.body.textContent?.length).toBeGreaterThan(1_000_000 - 1);
});

test('the tree is walked, opened and closed with the keyboard alone', async () => {
  const user = userEvent.setup();
  render(<JsonTree label="Fields" value={{ pedata: { sections: ['.text'] }, raw: null }} />);
  await user.tab();
  expect(screen.getByRole('tree', { name: 'Fields' })).toBe(document.activeElement);
  await user.keyboard('{ArrowRight}{ArrowDown}{ArrowRight}');
  expect(screen.getAllByRole('treeitem').map((item) => item.textContent)).toEqual([
    'pedata1 entry',
    'sections1 entry',
    '0.text',
    'rawnull',
  ]);
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  expect(screen.getAllByRole('treeitem')).toHaveLength(2);
});

test('a hostile record draws a bounded tree', async () => {
  const wide: { [key: string]: Json } = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, index) => [`k${index}${'n'.repeat(300)}`, 'v'.repeat(5000)]),
  );
  render(<JsonTree label="Fields" value={wide} />);
  expect(screen.getAllByRole('treeitem')).toHaveLength(201);
  expect(screen.getAllByRole('treeitem')[0]?.textContent?.length).toBeLessThan(2400);
});

test('a tag separates its namespace and shows a mark that reverses text direction', () => {
  render(<TagChip tag={'runnable:win32:\u202eexe'} />);
  expect(screen.getByText('runnable:win32:')).toBeDefined();
  expect(document.body.textContent).toBe('runnable:win32:\\u202eexe');
});

test('a name keeps its ending at the right, in a piece of its own, whatever script it begins with', () => {
  render(<SampleName name={'\u05d7\u05e9\u05d1\u05d5\u05e0\u05d9\u05ea 2026.docm'} />);
  const name = document.querySelector('bdi');
  const [spoken, head, ending] = name?.children ?? [];
  expect(name?.dir).toBe('ltr');
  expect(spoken?.textContent).toBe('\u05d7\u05e9\u05d1\u05d5\u05e0\u05d9\u05ea 2026.docm');
  expect([head?.textContent, head?.getAttribute('dir')]).toEqual([
    '\u05d7\u05e9\u05d1\u05d5\u05e0\u05d9\u05ea 2026',
    'auto',
  ]);
  expect(ending?.textContent).toBe('.docm');
});

test('a name shows the mark that reverses text direction, and its title is whole', () => {
  render(<SampleName name={'invoice_\u202efdp.exe'} />);
  expect(screen.getByTitle('invoice_\\u202efdp.exe')).toBeDefined();
  expect(document.body.textContent).not.toContain('\u202e');
});

test.for([
  ['short.exe', 'short.exe', ''],
  ['a-name-of-some-length.exe', 'a-name-of-some-le', 'ngth.exe'],
  ['report.appinstaller', 'report', '.appinstaller'],
  ['no-ending-is-in-this-name', 'no-ending-is-in-t', 'his-name'],
  ['\u0641\u0627\u062a\u0648\u0631\u0629_2026_\u0646', '\u0641\u0627\u062a\u0648\u0631\u0629_2026_\u0646', ''],
  ['a b\tc\nd.bin', 'a b\tc\nd', '.bin'],
  ['invoice-march-e\u0301.pdf.exe', 'invoice-march-e\u0301', '.pdf.exe'],
] as const)('%s is taken apart at its ending only, between whole characters', ([name, head, tail]) => {
  expect(splitName(name)).toEqual({ head, tail });
});

test('the family comes first among the tags of a sample, then local ones before those of a repository', () => {
  expect(
    orderedTags(['packed', 'case:7'], ['runnable:win32:exe', 'Family:emotet', 'familyless']).map(({ tag }) => tag),
  ).toEqual(['Family:emotet', 'packed', 'case:7', 'runnable:win32:exe', 'familyless']);
});

test('a long value is truncated, and whole on request', async () => {
  render(<LongText text={'v'.repeat(700)} charactersShown={300} />);
  expect(document.body.textContent).not.toContain('v'.repeat(301));
  await userEvent.click(screen.getByRole('button', { name: 'Show all 700 characters' }));
  expect(document.body.textContent).toBe('v'.repeat(700));
});

test('a time without a zone is marked as the server’s', () => {
  render(<TimeText sent="2026-11-09 07:40:12" />);
  expect(document.body.textContent).toBe('2026-11-09 07:40:12 server time');
});
