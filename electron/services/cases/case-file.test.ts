import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { type CaseFormat, caseFormat } from '../../../shared/domain/job.ts';
import { bytesOf, caseText } from './case-file.ts';
import { barsPicture } from './case-html.ts';
import { goldenCases, otherSample, storyOf, textOf } from './case.fixture.ts';

const extensions: Readonly<Record<CaseFormat, string>> = {
  misp: 'misp.json',
  stix: 'stix.json',
  csv: 'csv',
  jsonl: 'jsonl',
  markdown: 'md',
  html: 'html',
};
const hidden = /(?![\t\n])\p{Cc}|\u200b|[\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe.each(Object.entries(goldenCases))('the case %s', (name, reported) => {
  test.each(caseFormat.options)('matches the golden text as %s', async (format) => {
    await expect(await textOf(format, storyOf(reported))).toMatchFileSnapshot(`golden/${name}.${extensions[format]}`);
  });

  test.each(caseFormat.options)('is valid Unicode without hidden characters as %s', async (format) => {
    const text = await textOf(format, storyOf(reported));
    expect(text.isWellFormed()).toBe(true);
    expect(text.startsWith('\ufeff')).toBe(format === 'csv');
    expect(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')).not.toMatch(hidden);
  });

  test.each(['misp', 'stix'] as const)('is the same JSON twice as %s', async (format) => {
    const text = await textOf(format, storyOf(reported));
    expect(JSON.parse(text)).toEqual(JSON.parse(await textOf(format, storyOf(reported))));
  });

  test('is one line of JSON per sample, with its texts unchanged', async () => {
    const lines = (await textOf('jsonl', storyOf(reported)))
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject(
      reported.samples.map(({ name: called, sha256, tlp, note }) => ({
        name: called,
        sha256,
        tlp,
        note,
        caseTlp: reported.tlp,
      })),
    );
  });

  test('is a page that runs nothing and requests nothing', async () => {
    const html = await textOf('html', storyOf(reported));
    expect(html).toMatch(/^<!doctype html>\n/);
    const policy = /default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'/.source;
    expect(html).toMatch(new RegExp(`<meta http-equiv="Content-Security-Policy" content="${policy}">`));
    const elements = new Set([...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, element]) => element?.toLowerCase()));
    for (const element of ['script', 'img', 'iframe', 'link', 'object', 'embed', 'base', 'a', 'form', 'use', 'image'])
      expect(elements).not.toContain(element);
    expect(html.replace(/<style>.*<\/style>/s, '')).not.toMatch(/<[^>]*\s(?:on\w+|style|href|src)\s*=/i);
    expect(html).not.toMatch(/https?:\/\//i);
  });

  test('has no address to follow as Markdown, and begins no HTML', async () => {
    const markdown = await textOf('markdown', storyOf(reported));
    expect(markdown).not.toMatch(/https?:\/\/|<[a-z/!?]/i);
    const tokens = new MarkdownIt({ linkify: true, html: true })
      .parse(markdown, {})
      .flatMap((token) => [token, ...(token.children ?? [])]);
    expect(tokens.filter(({ type }) => /link|image|html/.test(type))).toEqual([]);
    // What a forge makes a mention, a reference or a link of, in text that is no code
    for (const { content } of tokens.filter(({ type }) => type === 'text'))
      expect(content).not.toMatch(/[@#]\w|\/\/|www\./);
  });

  test('has no formula as CSV', async () => {
    const lines = (await textOf('csv', storyOf(reported))).trimEnd().split('\r\n');
    const rows = lines.map((line) =>
      [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g)].map(
        ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
      ),
    );
    expect(rows.map(({ length }) => length)).toEqual(Array.from({ length: reported.samples.length + 1 }, () => 17));
    for (const cell of rows.flat()) expect(cell).not.toMatch(/(?:^|;)[\s"]*[=+\-@]/);
  });
});

test('a picture shows the hidden characters of a name', () => {
  const [picture, other] = ['\u202e', '\u200b'].map((character) =>
    barsPicture(new Map([[`${'x'.repeat(20)}${character}fdp.exe`, 1]]), ''),
  );
  expect(picture).toContain(`>${'x'.repeat(20)}\\u202…</text>`);
  expect(other).toContain(`>${'x'.repeat(20)}\\u200…</text>`);
});

test('no case format contains what was not requested', async () => {
  const { plain } = goldenCases;
  const without = {
    samples: plain?.samples.map((sample) => ({ ...sample, note: null, comments: [], hits: [] })) ?? [],
    title: 't',
    author: '',
    tlp: plain?.tlp ?? null,
  };
  for (const format of caseFormat.options) {
    const text = await textOf(format, storyOf(without, { notes: false, comments: false, hits: false }));
    expect(text).not.toMatch(/second file|customer|ashveil_config|"note"|"comments"|,note\b/);
  }
});

test('many rows are read only as fast as they are written', () => expectReadAsTheyLeave('csv', 20_000));

test.each(['csv', 'jsonl'] as const)(
  'two hundred thousand rows as %s are read only as fast as they are written',
  { tags: ['long'] },
  (format) => expectReadAsTheyLeave(format, 200_000),
);

async function expectReadAsTheyLeave(format: 'csv' | 'jsonl', samples: number): Promise<void> {
  const rowsAPage = 500;
  let [given, left, furthest] = [0, 0, 0];
  const story = {
    head: storyOf({ samples: [], title: 't', author: '', tlp: null }).head,
    async *pages() {
      const sample = otherSample();
      for (; given < samples; given += rowsAPage) yield Array.from({ length: rowsAPage }, () => sample);
    },
  };
  for await (const piece of bytesOf(caseText(format, story, async function* none() {}))) {
    left += Buffer.from(piece).toString('latin1').split('\n').length - 1;
    furthest = Math.max(furthest, given - left);
  }
  expect(left).toBe(samples + Number(format === 'csv'));
  expect(furthest).toBeLessThan(3 * rowsAPage);
}
