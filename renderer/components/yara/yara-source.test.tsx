import '../data-grid/layout.fixture.ts';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { YaraSource } from './yara-source.tsx';

const sourceOf = (text: string, change = {}) => ({
  file: 'a.yar',
  line: 41,
  text,
  lines: text.split('\n').length,
  isCut: false,
  ...change,
});

test('YaraSource numbers lines as in their file, and marks the wrong one', () => {
  render(<YaraSource label="Source" source={sourceOf('rule a {\n  condition: $s4\n}')} markedLine={42} />);
  const source = screen.getByRole('region', { name: 'Source' });
  expect(source.textContent).toBe('41rule a {42  condition: $s443}');
  expect(screen.getByLabelText('Line 42, highlighted').textContent).toContain('$s4');
});

test('YaraSource draws only the visible lines of five thousand', () => {
  render(
    <YaraSource label="Source" source={sourceOf(Array.from({ length: 5000 }, (_, at) => `// ${at}`).join('\n'))} />,
  );
  expect(screen.getByRole('region').querySelectorAll('span').length).toBeLessThan(300);
});

test('YaraSource shows rule contents as plain text, with no change of text direction', () => {
  render(<YaraSource label="Source" source={sourceOf('// <img src=x>\u202e')} />);
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByRole('region').textContent).toBe('41// <img src=x>\\u202e');
});

test('YaraSource shows how much of a truncated source is visible', () => {
  render(<YaraSource label="Source" source={sourceOf('a\nb', { lines: 12_000, isCut: true })} />);
  expect(screen.getByText('Showing 2 of 12,000 lines.')).toBeDefined();
});
