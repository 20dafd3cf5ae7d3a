import fc from 'fast-check';

/** A pattern of a rule, and bytes that it matches or nearly matches. */
export interface Pattern {
  /** As it is written after `$id =`. */
  text: string;
  plants: readonly Uint8Array[];
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** One of each combination that YARA takes of what can be left out. */
const marks = (...choices: readonly (readonly string[])[]): fc.Arbitrary<string> =>
  fc
    .tuple(...choices.map((choice) => fc.constantFrom('', '', ...choice)))
    .map((chosen) => chosen.filter((mark) => mark !== '').join(' '));

const alphabets = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  'QWERTYUIOPASDFGHJKLZXCVBNMqwertyuiopasdfghjklzxcvbnm0123456789._',
];
const [standard = '', other = ''] = alphabets;
const letter = fc.constantFrom('a', 'a', 'b', 'c', 'B', 'C', '0', ' ', '.', '_', '"', '\\', '\n', '\0', '\xe9');
const textMarks = fc.oneof(
  { weight: 2, arbitrary: marks(['wide', 'ascii wide', 'ascii'], ['fullword'], ['nocase'], ['private']) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('xor', 'xor(1-3)', 'xor(2)'), marks(['wide', 'ascii wide', 'ascii'], ['private']))
      .map((both) => both.join(' ')),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('base64', 'base64wide', 'base64 base64wide', `base64("${other}")`),
        marks(['wide', 'ascii'], ['private']),
      )
      .map((both) => both.join(' ')),
  },
);

const writtenText = (text: string): string =>
  Array.from(text, (each) => {
    if (each === '"' || each === '\\') return `\\${each}`;
    if (each === '\n') return '\\n';
    return each < ' ' || each > '~' ? `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}` : each;
  }).join('');

const swapped = (text: string): string =>
  Array.from(text, (each) => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase())).join('');
const xored = (bytes: Uint8Array, key: number): Uint8Array => bytes.map((byte) => byte ^ key);
const recoded = (text: string): string => Array.from(text, (each) => other[standard.indexOf(each)] ?? each).join('');

const textPattern: fc.Arbitrary<Pattern> = fc
  .tuple(fc.string({ unit: letter, minLength: 1, maxLength: 8 }), textMarks)
  // YARA-X takes no shorter ones: see the named differences.
  .filter(([text, mark]) => text.length > 2 || !mark.includes('base64'))
  .map(([text, mark]) => {
    const encoded = ['', 'x', 'xy'].map((front) => latin(`${front}${text}zz`).toString('base64'));
    return {
      text: `"${writtenText(text)}" ${mark}`,
      plants: [
        latin(text),
        wide(text),
        latin(swapped(text)),
        latin(`${text.slice(0, -1)}#`),
        xored(latin(text), 2),
        xored(wide(text), 3),
        xored(latin(` ${text} `), 1),
        ...encoded.map(latin),
        wide(encoded[1] ?? ''),
        latin(recoded(encoded[0] ?? '')),
      ],
    };
  });

interface Part {
  text: string;
  /** Something that it matches. */
  sample: string;
}

const hexByte: fc.Arbitrary<Part> = fc
  .constantFrom('61', '62', '63', '00', 'FF', '0a')
  .map((text) => ({ text, sample: text }));
const hexAny: fc.Arbitrary<Part> = fc
  .constantFrom(['??', '7a'], ['??', '5b'], ['6?', '62'], ['?1', '61'], ['F?', 'f3'])
  .map(([text = '', sample = '']) => ({ text, sample }));
const hexJump: fc.Arbitrary<Part> = fc
  .constantFrom(['[1]', '7a'], ['[0-2]', ''], ['[1-3]', '7a7b'], ['[2-]', '7a7b7c'], ['[-]', ''], ['[0-1]', '00'])
  .map(([text = '', sample = '']) => ({ text, sample }));
const joinedParts = (parts: readonly Part[], by: string): Part => ({
  text: parts.map(({ text }) => text).join(by),
  sample: parts.map(({ sample }) => sample).join(''),
});
const hexRun = fc
  .array(fc.oneof({ weight: 3, arbitrary: hexByte }, hexAny), { minLength: 1, maxLength: 3 })
  .map((parts) => joinedParts(parts, ' '));
const hexChoice = fc.array(hexRun, { minLength: 2, maxLength: 3 }).map((runs): Part => ({
  text: `( ${runs.map(({ text }) => text).join(' | ')} )`,
  sample: runs.at(-1)?.sample ?? '',
}));
const hexMiddle = fc.oneof(
  hexRun,
  hexChoice,
  fc.tuple(hexJump, hexByte).map((parts) => joinedParts(parts, ' ')),
);

const hexPattern: fc.Arbitrary<Pattern> = fc
  .tuple(hexRun, fc.array(hexMiddle, { maxLength: 3 }), hexByte, marks(['private']))
  .map(([first, middle, last, mark]) => {
    const { text, sample } = joinedParts([hexStart(first), ...middle, last], ' ');
    const bytes = Buffer.from(sample, 'hex');
    return { text: `{ ${text} } ${mark}`, plants: [bytes, bytes.subarray(0, -1), Buffer.concat([bytes, bytes])] };
  });

/** One fixed byte at least: without one both engines would have to try at each offset. */
const hexStart = (first: Part): Part => joinedParts([{ text: '61', sample: '61' }, first], ' ');

const literal: fc.Arbitrary<Part> = fc
  .constantFrom('a', 'b', 'c', 'B', '0', '.', '-', '/')
  .map((each) => ({ text: /[./]/.test(each) ? `\\${each}` : each, sample: each }));
const regexClass: fc.Arbitrary<Part> = fc
  .constantFrom(
    ['[abc]', 'b'],
    ['[a-c0-9]', '7'],
    ['[^a]', 'b'],
    ['[^\\n-]', 'c'],
    ['[\\w.]', '.'],
    ['\\d', '7'],
    ['\\D', 'b'],
    ['\\w', '_'],
    ['\\W', '-'],
    ['\\s', ' '],
    ['\\S', 'c'],
    ['.', 'z'],
    ['\\x61', 'a'],
    ['[\\x00-\\x08]', '\x01'],
    ['\\.', '.'],
  )
  .map(([text = '', sample = '']) => ({ text, sample }));
const regexUnit = fc.oneof({ weight: 2, arbitrary: literal }, regexClass);
const regexChoice = fc
  .array(fc.array(regexUnit, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 })
  .map((runs): Part => ({
    text: `(${runs.map((run) => joinedParts(run, '').text).join('|')})`,
    sample: joinedParts(runs[1] ?? [], '').sample,
  }));
/** And how often the sample has what is repeated. */
const times = fc.constantFrom<[string, number]>(
  ['?', 1],
  ['*', 2],
  ['+', 2],
  ['{2}', 2],
  ['{1,3}', 3],
  ['{2,}', 3],
  ['{,2}', 1],
  ['{0,1}', 0],
);

/** YARA takes no mixture of greedy and other quantifiers. */
const regexMiddle = (isLazy: boolean): fc.Arbitrary<Part> =>
  fc.oneof(
    regexUnit,
    regexChoice,
    fc.tuple(fc.oneof(regexUnit, regexChoice), times).map(([{ text, sample }, [mark, count]]): Part => ({
      text: `${text}${mark}${isLazy ? '?' : ''}`,
      sample: sample.repeat(count),
    })),
  );

/** At an end of a file a `\b` beside no letter means different things: see the named differences. */
const regexText = fc
  .boolean()
  .chain((isLazy) => fc.tuple(literal, fc.array(regexMiddle(isLazy), { maxLength: 4 }), literal))
  .map((parts) => joinedParts(parts.flat(), ''));
const edges = fc.constantFrom(
  ['', ''],
  ['', ''],
  ['', ''],
  ['^', ''],
  ['', '$'],
  ['\\b', ''],
  ['', '\\b'],
  ['\\b', '\\b'],
  ['^', '$'],
);
const withEdges = ({ text, sample }: Part, [front = '', end = '']: readonly string[]): string =>
  `${front === '\\b' && !/^\w/.test(sample) ? '' : front}${text}${end === '\\b' && !/\w$/.test(sample) ? '' : end}`;

const regexPattern: fc.Arbitrary<Pattern> = fc
  .tuple(
    regexText,
    edges,
    fc.constantFrom('', '', 'i', 's', 'is'),
    marks(['wide', 'ascii wide', 'ascii'], ['nocase'], ['fullword'], ['private']),
  )
  .map(([part, edge, flags, mark]) => {
    const { sample } = part;
    // What the two forms have for an edge, and that YARA misses some wide ones beside others, are named differences.
    const text = mark.includes('wide') ? part.text : withEdges(part, edge);
    return {
      text: `/${text}/${flags} ${text.includes('(') ? mark.replace('ascii wide', 'wide') : mark}`,
      plants: [
        latin(sample),
        wide(sample),
        latin(swapped(sample)),
        latin(`${sample.slice(0, -1)}#`),
        latin(`${sample}${sample}`),
      ],
    };
  });

/** What a condition may match a text with. */
export const regexOfCondition: fc.Arbitrary<string> = fc
  .tuple(regexText, edges, fc.constantFrom('', 'i', 's'))
  .map(([part, edge, flags]) => `/${withEdges(part, edge)}/${flags}`);

export const pattern: fc.Arbitrary<Pattern> = fc.oneof(textPattern, hexPattern, regexPattern);
