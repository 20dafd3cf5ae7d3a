import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrivedAs } from './comments.ts';

const listed = (id: string, content: string, parentId: string | null = null) => ({
  id,
  parentId,
  author: 'desk',
  content,
  created: null,
});
const own = { content: 'Second stage\nsee below', parentId: null, knownIds: ['1'] };

test('a new comment with the same text is the sent one', () => {
  expect(
    arrivedAs(own, {
      listsComments: true,
      comments: [listed('1', own.content), listed('2', 'other'), listed('3', own.content)],
    }),
  ).toBe('3');
});

test('a comment with the same text known before, or another one of Vitrine, is not the sent one', () => {
  const record = { listsComments: true, comments: [listed('1', own.content), listed('2', own.content)] };
  expect(arrivedAs({ ...own, knownIds: ['1', '2'] }, record)).toBeNull();
  expect(arrivedAs(own, record, new Set(['2']))).toBeNull();
});

test('a service that lists no comments leaves the arrival unknown', () => {
  expect(arrivedAs(own, { listsComments: false, comments: [listed('comment', own.content)] })).toBeNull();
});

describe('the parent', () => {
  test.each([
    ['was made a root', '1', null],
    ['was put below another', '1', '2'],
    ['began a thread and was put below one', null, '1'],
  ])('may be changed by a service without ruling a comment out: it %s', (_, parentId, listedParent) => {
    expect(
      arrivedAs(
        { ...own, parentId },
        { listsComments: true, comments: [listed('1', 'x'), listed('2', own.content, listedParent)] },
      ),
    ).toBe('2');
  });

  test('decides among several with the same text', () => {
    const record = {
      listsComments: true,
      comments: [listed('2', own.content), listed('3', own.content, '1'), listed('4', own.content, '2')],
    };
    expect(arrivedAs({ ...own, parentId: '1' }, record)).toBe('3');
    expect(arrivedAs(own, record)).toBe('2');
    expect(arrivedAs({ ...own, parentId: 'gone' }, record)).toBe('2');
  });
});

describe('a text that the service changed in transit', () => {
  test.each([
    ['line ends as forms have them', 'a\nb', 'a\r\nb'],
    ['a lone CR', 'a\rb', 'a\nb'],
    ['white space at the ends of lines', 'a  \r\nb\t\nc', 'a\nb\nc'],
    ['white space at both ends', 'a\n\n', '\n  a'],
    ['entities by name', `a < b && c > "d" 'e'`, 'a &lt; b &amp;&amp; c &gt; &quot;d&quot; &apos;e&apos;'],
    ['entities by number', `a < b & "c" 'd' >`, 'a &#60; b &#38; &#34;c&#34; &#039;d&#x27; &#x3E;'],
    ['a composed letter', 'cafe\u0301', 'caf\u00e9'],
  ])('counts as the same text: %s', (_, sent, kept) => {
    expect(arrivedAs({ ...own, content: sent }, { listsComments: true, comments: [listed('2', kept)] })).toBe('2');
  });

  test.each([
    ['letters in another case', 'Packed', 'packed'],
    ['white space within a line', 'a  b', 'a b'],
    ['an entity within an entity', 'a < b', 'a &amp;lt; b'],
    ['another entity', 'a b', 'a&nbsp;b'],
  ])('counts as another text: %s', (_, sent, kept) => {
    expect(arrivedAs({ ...own, content: sent }, { listsComments: true, comments: [listed('2', kept)] })).toBeNull();
  });

  test('counts as the same text, whatever it is, when escaped once with other line ends', () => {
    const text = fc
      .array(fc.constantFrom('<', '>', '"', "'", 'a', ' ', '\t', '\n', '\r\n', '\r', 'e\u0301', '# x;'), {
        maxLength: 40,
      })
      .map((parts) => parts.join(''));
    const escaped = (content: string): string =>
      content
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&#62;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#x27;')
        .replaceAll(/\r\n?|\n/g, '\r\n');
    fc.assert(
      fc.property(text, (content) => {
        expect(arrivedAs({ ...own, content }, { listsComments: true, comments: [listed('2', escaped(content))] })).toBe(
          '2',
        );
      }),
    );
  });
});
