import fc from 'fast-check';
import { textOfWords } from '../../../shared/testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { textForm } from '../../../shared/testing/input-forms.ts';
import { type MarkdownNode, markdownTree, mostNodes } from './markdown-tree.ts';

const words = [
  '# ',
  '## ',
  '> ',
  '- ',
  '* ',
  '1. ',
  '+ ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '```',
  '~~~',
  '`',
  '``',
  '*',
  '**',
  '_',
  '__',
  '~~',
  '[',
  ']',
  '](',
  ')',
  '![',
  '<',
  '>',
  '<script>',
  '<!--',
  '-->',
  '&amp;',
  '&#0;',
  '&colon;',
  '|',
  '|---|',
  '---',
  '===',
  'javascript:',
  'java\nscript:',
  'data:text/html,',
  'vbscript:',
  'file:///',
  'https://x.example/a',
  '//x.example',
  '\\',
  '\\[',
  '"',
  "'",
  '[a]: x',
  '[a]',
  'a',
  '\u202e',
  '\0',
  '  \n',
];

export const target = fuzzTarget({
  name: 'markdown',
  reads: 'a note in Markdown',
  holds: 'nodes within the count and depth limits, no link to a script',
  form: textForm(words),
  seeds: [
    '# A\n\n> a *b* **c** ~~d~~ `e`\n\n1. one\n   - two [x](https://x.example "t") ![p](https://x.example/p.png)\n\n' +
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nx\n```\n<script>1</script>\n',
  ],
  made: fc.oneof(textOfWords(words, 40), textOfWords(words, 600)),
  attack(text) {
    const { nodes } = markdownTree(text.slice(0, longestNote));
    const open = nodes.map((node): readonly [MarkdownNode, number] => [node, 1]);
    let count = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [node, depth] = next;
      count += 1;
      mustHold(depth <= 45, 'it is nested deeper than is drawn');
      if ('address' in node)
        mustHold(
          node.kind === 'picture' ||
            !/^[\s\p{Cc}]*(?:javascript|vbscript|file|data):/iu.test(decodeURIComponentSafely(node.address)),
          'a link leads to a script',
        );
      if ('children' in node) for (const child of node.children) open.push([child, depth + 1]);
    }
    mustHold(count <= mostNodes + 1, 'there are more nodes than are drawn');
  },
});

/** As the contract takes it. */
const longestNote = 100_000;

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
