import { assertNever } from '../../../shared/assert-never.ts';
import type { CaseOptions } from '../../../shared/domain/case.ts';
import type { CaseFormat } from '../../../shared/domain/job.ts';
import { stemOfTitle } from '../../archive/export/export-names.ts';
import { caseHtml } from './case-html.ts';
import { caseMarkdown } from './case-markdown.ts';
import type { CaseStory } from './case-sample.ts';
import { caseCsv, caseJsonLines } from './case-table.ts';
import { mispEvent, type SampleAttribute } from './misp-event.ts';
import { stixBundle } from './stix-bundle.ts';

const extensions: Readonly<Record<CaseFormat, string>> = {
  misp: 'misp.json',
  stix: 'stix.json',
  csv: 'csv',
  jsonl: 'jsonl',
  markdown: 'md',
  html: 'html',
};

/** `Gate 2026-114.misp.json`, by its title. */
export const caseFileName = ({ format, title }: Pick<CaseOptions, 'format' | 'title'>): string =>
  `${stemOfTitle(title)}.${extensions[format]}`;

/** The text of a case. `sampleAttribute` is asked of an event alone. */
export function caseText(
  format: CaseFormat,
  story: CaseStory,
  sampleAttribute: SampleAttribute,
): AsyncIterable<string> {
  switch (format) {
    case 'misp':
      return mispEvent(story, sampleAttribute);
    case 'stix':
      return stixBundle(story);
    case 'csv':
      return caseCsv(story);
    case 'jsonl':
      return caseJsonLines(story);
    case 'markdown':
      return caseMarkdown(story);
    case 'html':
      return caseHtml(story);
    default:
      return assertNever(format);
  }
}

const pieceCharacters = 64 * 1024;

/** The same in UTF-8, in pieces that are worth a write. */
export async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, void> {
  let gathered: string[] = [];
  let characters = 0;
  for await (const piece of text) {
    gathered.push(piece);
    characters += piece.length;
    if (characters < pieceCharacters) continue;
    yield Buffer.from(gathered.join(''));
    [gathered, characters] = [[], 0];
  }
  // An empty last piece could not be held back
  if (characters > 0) yield Buffer.from(gathered.join(''));
}
