import { assertNever } from '../../../shared/assert-never.ts';
import type { CaseOptions } from '../../../shared/domain/case.ts';
import { csvFileHead, csvLine } from '../../../shared/domain/csv.ts';
import type { CaseFormat } from '../../../shared/domain/job.ts';
import {
  bestHash,
  escaped,
  markdownCode,
  sampleCells,
  sampleColumns,
  sampleMarkdownHead,
  sampleMarkdownRow,
} from '../../../shared/domain/sample-table.ts';
import { stemOfTitle } from '../../archive/export/export-manifest.ts';
import { caseHtml } from './case-html.ts';
import {
  type CaseComment,
  type CaseHead,
  type CaseSample,
  type CaseStory,
  formatBytes,
  harmlessText,
  isSaid,
  plainJson,
  tlpName,
} from './case-sample.ts';
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

/** A row a sample: the columns of every list of samples, how the case is marked, and what was asked for besides. */
async function* caseCsv({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
  const { notes, comments } = head.include;
  yield csvFileHead([...sampleColumns, 'case_tlp', ...(notes ? ['note'] : []), ...(comments ? ['comments'] : [])]);
  for await (const samples of pages()) {
    yield samples
      .map((sample) =>
        csvLine([
          ...sampleCells(sample),
          head.tlp,
          ...(notes ? [sample.note?.text ?? null] : []),
          ...(comments ? [sample.comments.map(commentCell).join('\n')] : []),
        ]),
      )
      .join('');
  }
}

/** JSON Lines: an object a sample, with all texts as they are. */
async function* caseJsonLines({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
  for await (const samples of pages()) yield samples.map((sample) => `${plainJson(lineOf(sample, head))}\n`).join('');
}

const commentCell = ({ author, created, text }: CaseComment): string =>
  `${[author ?? 'unnamed', created].filter((part) => part !== null).join(', ')}: ${text}`;

function lineOf(sample: CaseSample, { tlp: caseTlp, include }: CaseHead): object {
  const {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    threat,
    tags,
    serviceTags,
    hits,
    firstSeen,
    lastSeen,
    inVault,
    note,
    comments,
  } = sample;
  return {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    threat,
    tags,
    serviceTags,
    hits,
    firstSeen,
    lastSeen,
    inVault,
    caseTlp,
    ...(include.notes ? { note } : {}),
    ...(include.comments ? { comments: comments.map(({ author, created, text }) => ({ author, created, text })) } : {}),
  };
}

/**
 * A report as GitHub's dialect of Markdown has it: what the case is, a table of its samples, and what was written about
 * them.
 */
async function* caseMarkdown({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
  yield headOf(head);
  yield `## Samples\n\n${sampleMarkdownHead}`;
  for await (const samples of pages()) yield samples.map(sampleMarkdownRow).join('');
  if (!head.include.notes && !head.include.comments) return;
  let isFirst = true;
  for await (const samples of pages()) {
    for (const said of samples.map(saidOf)) {
      if (said === '') continue;
      yield `${isFirst ? '\n## Notes and comments\n' : ''}${said}`;
      isFirst = false;
    }
  }
}

function headOf({ title, author, tlp, made, summary }: CaseHead): string {
  const { samples, bytes, firstSeen, lastSeen } = summary;
  const facts = [
    ['TLP', tlp === null ? 'not set' : tlpName(tlp)],
    ['Author', author === '' ? null : markdownCode(author)],
    ['Created', made.toISOString()],
    ['Samples', `${samples.toLocaleString('en')}, ${formatBytes(bytes)}`],
    ['Seen', firstSeen === null || lastSeen === null ? null : `${firstSeen} to ${lastSeen}`],
  ].filter(([, fact]) => fact !== null);
  return `# ${markdownCode(title)}\n\n${facts.map(([name, fact]) => `- ${name}: ${fact}\n`).join('')}\n`;
}

function saidOf(sample: CaseSample): string {
  const note = isSaid(sample.note?.text ?? null) ? `\nNote:\n\n${block(sample.note?.text ?? '')}` : '';
  const comments = sample.comments
    .filter(({ text }) => isSaid(text))
    .map(({ author, created, text }) => {
      const by = [author, created].filter(isSaid).map(markdownCode).join(', ');
      return `\nComment${by === '' ? '' : ` (${by})`}:\n\n${block(text)}`;
    });
  const said = `${note}${comments.join('')}`;
  return said === '' ? '' : `\n### \`${bestHash(sample)?.value ?? ''}\`\n${said}`;
}

/** Where code is not understood, nothing in it begins HTML either. */
const element = /<(?=[a-z/!?])/gi;

/** As code, in which nothing is markup; its fence is longer than any in it. */
function block(text: string): string {
  const shown = escaped(harmlessText(text), element);
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${shown.replace(/\n+$/, '')}\n${fence}\n`;
}
