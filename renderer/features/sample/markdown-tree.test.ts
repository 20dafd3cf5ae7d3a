import { describe, expect, test } from 'vitest';
import { type MarkdownNode, markdownTree, mostNodes } from './markdown-tree.ts';

const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => ('text' in node ? node.text : 'children' in node ? textOf(node.children) : '')).join('');
const all = (nodes: readonly MarkdownNode[]): MarkdownNode[] =>
  nodes.flatMap((node) => ['children' in node ? [node, ...all(node.children)] : [node]].flat());
const depthOf = (nodes: readonly MarkdownNode[]): number =>
  Math.max(0, ...nodes.map((node) => 1 + ('children' in node ? depthOf(node.children) : 0)));

test('the Markdown of an analyst becomes elements', () => {
  const { nodes, isCut, isTooDeep } = markdownTree(
    '# Ashveil\n\nKey **0x5c**, see `config`.\n\n- one\n- two\n\n```\nxor\n```\n\n---\n',
  );
  expect(nodes).toEqual([
    { kind: 'element', tag: 'h1', children: [{ kind: 'text', text: 'Ashveil' }] },
    {
      kind: 'element',
      tag: 'p',
      children: [
        { kind: 'text', text: 'Key ' },
        { kind: 'element', tag: 'strong', children: [{ kind: 'text', text: '0x5c' }] },
        { kind: 'text', text: ', see ' },
        { kind: 'code', text: 'config' },
        { kind: 'text', text: '.' },
      ],
    },
    {
      kind: 'element',
      tag: 'ul',
      children: [
        { kind: 'element', tag: 'li', children: [{ kind: 'text', text: 'one' }] },
        { kind: 'element', tag: 'li', children: [{ kind: 'text', text: 'two' }] },
      ],
    },
    { kind: 'block', text: 'xor\n' },
    { kind: 'rule' },
  ]);
  expect([isCut, isTooDeep]).toEqual([false, false]);
});

test('a link or picture keeps its address as data, and nothing is loaded', () => {
  const nodes = all(markdownTree('[here](https://c2.example/x) ![shot](https://c2.example/a.png)').nodes);
  expect(nodes).toContainEqual({
    kind: 'link',
    address: 'https://c2.example/x',
    children: [{ kind: 'text', text: 'here' }],
  });
  expect(nodes).toContainEqual({ kind: 'picture', address: 'https://c2.example/a.png', text: 'shot' });
});

test('HTML and links to scripts stay text', () => {
  const source =
    '<script>alert(1)</script>\n\n' +
    '<img src=x onerror=alert(1)> [x](javascript:alert(1)) [y](vbscript:x) [z](data:text/html,x)';
  const { nodes } = markdownTree(source);
  expect(all(nodes).every(({ kind }) => kind === 'text' || kind === 'element')).toBe(true);
  expect(textOf(nodes)).toBe(source.replace('\n\n', ''));
});

describe('the tree of a hostile note', () => {
  const hostile: [string, string][] = [
    ['10,000 quotes in one another', `${'>'.repeat(10_000)} deep`],
    [
      'lists in one another',
      Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`)
        .join('\n')
        .slice(0, 100_000),
    ],
    ['100 kB of opening brackets', '['.repeat(100_000)],
    ['brackets that close', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['links that never end', '[a]('.repeat(25_000)],
    ['emphasis in one another', '*a **b'.repeat(16_000)],
    ['a wide table', `|${'a|'.repeat(12_000)}\n|${'-|'.repeat(12_000)}\n${'|\n'.repeat(1000)}`],
    ['many paragraphs', 'a\n\n'.repeat(33_000)],
    ['pictures', '![a](data:image/png;base64,AAAA)'.repeat(3000)],
  ];
  test.each(hostile)('is bounded for %s', (_, source) => {
    const { nodes } = markdownTree(source);
    expect(all(nodes).length).toBeLessThanOrEqual(mostNodes + 1);
    expect(depthOf(nodes)).toBeLessThan(60);
  });

  test('reports omitted content', () => {
    expect(markdownTree(`${'>'.repeat(10_000)} deep`).isTooDeep).toBe(true);
    expect(markdownTree('a\n\n'.repeat(33_000)).isCut).toBe(true);
    expect(markdownTree(`${'>'.repeat(8)} shallow`).isTooDeep).toBe(false);
  });
});

test('nested emphasis is drawn to a maximum depth, and deeper nesting is reported', () => {
  const { nodes, isTooDeep } = markdownTree(`${'*a '.repeat(1000)}${'a* '.repeat(1000)}`);
  let depth = 0;
  for (let level = nodes; level.length > 0; depth += 1)
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  expect(depth).toBeLessThanOrEqual(41);
  expect(isTooDeep).toBe(true);
});
