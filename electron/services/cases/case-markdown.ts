import {
  bestHash,
  escaped,
  markdownCode,
  sampleMarkdownHead,
  sampleMarkdownRow,
} from '../../../shared/domain/sample-table.ts';
import { tellBytes } from './case-numbers.ts';
import type { CaseHead, CaseSample, CaseStory } from './case-sample.ts';
import { harmlessText, isSaid, tlpName } from './case-words.ts';

/**
 * A report as GitHub's dialect of Markdown has it: what the case is, a table of its samples, and what was written about
 * them.
 */
export async function* caseMarkdown({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
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
    ['Samples', `${samples.toLocaleString('en')}, ${tellBytes(bytes)}`],
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
