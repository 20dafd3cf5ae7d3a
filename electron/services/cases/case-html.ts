import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { tellBytes, tellCount } from './case-numbers.ts';
import type { CaseHead, CaseSample, CaseStory } from './case-sample.ts';
import { isSaid, tlpName } from './case-words.ts';
import { barsPicture, stripKey, stripPicture, timelinePicture } from './html-pictures.ts';
import { htmlPolicy, htmlStyle } from './html-style.ts';
import { htmlLine, htmlText } from './html-words.ts';

/**
 * A report as one page that needs nothing else, runs nothing and asks nobody. Samples out of sight are not laid out:
 * there may be ten thousand.
 */
export async function* caseHtml({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${htmlPolicy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${htmlLine(head.title)}</title>
<style>${htmlStyle}</style>
</head>
<body>
${headOf(head)}
${picturesOf(head)}
<h2>Samples</h2>
${stripKey}
`;
  for await (const samples of pages()) yield samples.map((sample) => `${articleOf(sample)}\n`).join('');
  const mark = head.tlp === null ? '' : `${tlpName(head.tlp)} · `;
  yield (
    `<footer>${mark}${htmlLine(head.title)} · created ${head.made.toISOString()} ` +
    '· addresses in texts are defanged</footer>\n</body>\n</html>\n'
  );
}

const tlpClass = (level: TlpLevel): string => `tlp-${level.replace('+strict', '')}`;
const label = (level: TlpLevel): string => `<span class="tlp ${tlpClass(level)}">${tlpName(level)}</span>`;

function headOf({ title, author, tlp, made, summary }: CaseHead): string {
  const { samples, bytes, firstSeen, lastSeen } = summary;
  const facts = [
    author === '' ? null : htmlLine(author),
    `${made.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    tellCount(samples, 'sample', 'samples'),
    tellBytes(bytes),
    firstSeen === null || lastSeen === null ? null : `seen ${firstSeen.slice(0, 10)} to ${lastSeen.slice(0, 10)}`,
  ].filter((fact) => fact !== null);
  const marking = tlp === null ? '' : `${label(tlp)} · `;
  return `<header><h1>${htmlLine(title)}</h1><p class="under">${marking}${facts.join(' · ')}</p></header>`;
}

function picturesOf({ summary: { families, types, days } }: CaseHead): string {
  return (
    `<div class="pictures"><section><h2>Families</h2>${barsPicture(families, 'unnamed')}</section>` +
    `<section><h2>Types</h2>${barsPicture(types, 'unknown')}</section></div>` +
    `<section><h2>First seen</h2>${timelinePicture(days)}</section>`
  );
}

function articleOf(sample: CaseSample): string {
  const picture =
    sample.strip === null
      ? `<p class="none">${sample.inVault ? 'no preview' : 'not in the vault'}</p>`
      : stripPicture(sample.strip);
  const name = isSaid(sample.name) ? htmlLine(sample.name) : '<span class="none">no name</span>';
  const marking = sample.tlp === null ? '' : ` ${label(sample.tlp)}`;
  const facts = `<h3>${name}${marking}</h3><dl>${factsOf(sample)}</dl>`;
  return `<article><div class="strip">${picture}</div><div>${facts}</div>${saidOf(sample)}</article>`;
}

function factsOf({
  sha256,
  sha1,
  md5,
  sizeBytes,
  type,
  threat,
  tags,
  serviceTags,
  hits,
  firstSeen,
  lastSeen,
}: CaseSample): string {
  const fact = (name: string, value: string | null): string =>
    isSaid(value) ? `<dt>${name}</dt><dd>${htmlLine(value)}</dd>` : '';
  const hash = (name: string, value: string | null): string =>
    value === null ? '' : `<dt>${name}</dt><dd><code>${value}</code></dd>`;
  const size = sizeBytes === null ? null : tellBytes(sizeBytes);
  return [
    hash('SHA-256', sha256),
    hash('SHA-1', sha1),
    hash('MD5', md5),
    fact('Type', [type, size].filter(isSaid).join(', ')),
    fact('Threat', threat),
    fact('Tags', [...tags, ...serviceTags].filter(isSaid).join(', ')),
    fact('Rules', hits.join(', ')),
    fact('Seen', `${firstSeen} to ${lastSeen}`),
  ].join('');
}

function saidOf({ note, comments }: CaseSample): string {
  const said = (by: string, text: string): string =>
    isSaid(text) ? `<div class="said"><p>${by}</p><pre>${htmlText(text)}</pre></div>` : '';
  const saidInComments = comments.map(({ author, created, text }) =>
    said(['Comment', ...[author, created].filter(isSaid).map(htmlLine)].join(' · '), text),
  );
  return [said('Note', note?.text ?? ''), ...saidInComments].join('');
}
