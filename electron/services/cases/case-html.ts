import { createHash } from 'node:crypto';
import { type ByteClass, byteClasses, partsOfStrip } from '../../../shared/domain/byte-strip.ts';
import { harmlessWords } from '../../../shared/domain/sample-table.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import {
  type CaseHead,
  type CaseSample,
  type CaseStory,
  type Counts,
  formatBytes,
  formatCount,
  harmlessText,
  isSaid,
  tlpName,
} from './case-sample.ts';

/**
 * A report as one page that needs nothing else, runs nothing and sends no request. Samples out of sight are not laid
 * out: there may be ten thousand.
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
const tlpLabel = (level: TlpLevel): string => `<span class="tlp ${tlpClass(level)}">${tlpName(level)}</span>`;

function headOf({ title, author, tlp, made, summary }: CaseHead): string {
  const { samples, bytes, firstSeen, lastSeen } = summary;
  const facts = [
    author === '' ? null : htmlLine(author),
    `${made.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    formatCount(samples, 'sample', 'samples'),
    formatBytes(bytes),
    firstSeen === null || lastSeen === null ? null : `seen ${firstSeen.slice(0, 10)} to ${lastSeen.slice(0, 10)}`,
  ].filter((fact) => fact !== null);
  const marking = tlp === null ? '' : `${tlpLabel(tlp)} · `;
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
  const marking = sample.tlp === null ? '' : ` ${tlpLabel(sample.tlp)}`;
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
  const size = sizeBytes === null ? null : formatBytes(sizeBytes);
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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const encoded = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/**
 * Untrusted text as HTML, in an element or an attribute in quotes: on one line, nothing hidden in it, nothing to
 * follow.
 */
const htmlLine = (text: string): string => encoded(harmlessWords(text));

/** The same of several lines. */
const htmlText = (text: string): string => encoded(harmlessText(text));

const strip = { part: 4, height: 40, least: 3 } as const;
const bars = { width: 480, row: 20, label: 190, number: 48, most: 12, characters: 26 } as const;
const line = { width: 1070, height: 74, ground: 56, most: 60 } as const;
const mostEntropy = 8;

/** What the bytes look like: their class as hue, their entropy as height; one path for each class. */
function stripPicture(text: string): string {
  const parts = partsOfStrip(text);
  const paths = new Map<ByteClass, string>();
  parts.forEach(({ byteClass, entropy }, index) => {
    const tall = Math.max(strip.least, Math.round((entropy / mostEntropy) * strip.height));
    paths.set(
      byteClass,
      `${paths.get(byteClass) ?? ''}M${index * strip.part} ${strip.height}v-${tall}h${strip.part}v${tall}z`,
    );
  });
  const all = parts.map(({ entropy }) => entropy);
  const label = `Entropy ${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)} bits per byte`;
  const size = `viewBox="0 0 ${parts.length * strip.part} ${strip.height}" preserveAspectRatio="none"`;
  const drawn = [...paths].map(([byteClass, path]) => `<path class="b-${byteClass}" d="${path}"/>`);
  return `<svg ${size} role="img" aria-label="${label}">${drawn.join('')}</svg>`;
}

const classWords: Readonly<Record<ByteClass, string>> = {
  zero: 'zeros',
  text: 'text',
  code: 'code',
  high: 'high bytes',
  ff: '0xFF',
};

function keyOf(byteClass: ByteClass): string {
  const square = `<rect class="b-${byteClass}" width="10" height="10"/>`;
  return `<span><svg viewBox="0 0 10 10" aria-hidden="true">${square}</svg>${classWords[byteClass]}</span>`;
}

const stripKey = `<div class="key">${byteClasses.map(keyOf).join('')}<span>height: entropy</span></div>`;

/** How many there are of each, the most frequent first; the rest in one. */
export function barsPicture(counts: Counts, unnamed: string): string {
  const sorted = [...counts].toSorted(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
  // A rest of one would be no shorter
  const named = sorted.length === bars.most + 1 ? sorted.length : bars.most;
  const [shown, others] = [sorted.slice(0, named), sorted.slice(named)];
  const rest = others.reduce((sum, [, count]) => sum + count, 0);
  const rows = [
    ...shown.map(([name, count]): [string, number] => [name === '' ? unnamed : name, count]),
    ...(rest === 0 ? [] : [[`${others.length.toLocaleString('en')} others`, rest] satisfies [string, number]]),
  ];
  const most = Math.max(...rows.map(([, count]) => count));
  const drawn = rows.map((row, index) => barOf(row, index, most));
  return `<svg viewBox="0 0 ${bars.width} ${rows.length * bars.row}" role="list">${drawn.join('')}</svg>`;
}

function barOf([name, count]: [string, number], index: number, most: number): string {
  const top = index * bars.row;
  const space = bars.width - bars.label - bars.number;
  const long = Math.max(1, Math.round((count / most) * space));
  const number = count.toLocaleString('en');
  return (
    `<g role="listitem"><title>${htmlLine(name)}: ${number}</title>` +
    `<text y="${top + 14}">${htmlLine(cut(harmlessWords(name)))}</text>` +
    `<rect class="ground" x="${bars.label}" y="${top + 4}" width="${space}" height="12"/>` +
    `<rect class="bar" x="${bars.label}" y="${top + 4}" width="${long}" height="12"/>` +
    `<text class="number" x="${bars.width}" y="${top + 14}" text-anchor="end">${number}</text></g>`
  );
}

/** Of what is spelt out already: text that cannot be seen takes space then, too. */
function cut(name: string): string {
  const characters = [...name];
  return characters.length <= bars.characters ? name : `${characters.slice(0, bars.characters - 1).join('')}…`;
}

const dayMs = 86_400_000;

/** When samples were first seen: a bar for so many days that all of them fit. */
function timelinePicture(days: Counts): string {
  const sorted = [...days]
    .map(([day, count]): [number, number] => [Date.parse(`${day}T00:00:00Z`) / dayMs, count])
    .filter(([day]) => Number.isFinite(day))
    .toSorted(([a], [b]) => a - b);
  const [first = 0] = sorted[0] ?? [];
  const [last = 0] = sorted.at(-1) ?? [];
  const each = Math.ceil((last - first + 1) / line.most);
  const columns = Array.from({ length: Math.floor((last - first) / each) + 1 }, () => 0);
  for (const [day, count] of sorted)
    columns[Math.floor((day - first) / each)] = (columns[Math.floor((day - first) / each)] ?? 0) + count;
  const most = Math.max(1, ...columns);
  const wide = line.width / Math.max(columns.length, 12);
  const label = `First seen, ${formatCount(each, 'day', 'days')} per bar`;
  const drawn = columns.map((count, index) =>
    columnOf({ count, most, left: index * wide, wide, day: first + index * each, each }),
  );
  const lastDay = columns.length < 12 ? '' : dayOf(last);
  return (
    `<svg viewBox="0 0 ${line.width} ${line.height}" role="img" aria-label="${label}">${drawn.join('')}` +
    `<path class="axis" d="M0 ${line.ground}.5h${line.width}"/><text y="${line.height - 4}">${dayOf(first)}</text>` +
    `<text x="${line.width}" y="${line.height - 4}" text-anchor="end">${lastDay}</text></svg>`
  );
}

interface Column {
  count: number;
  most: number;
  left: number;
  wide: number;
  day: number;
  each: number;
}

function columnOf({ count, most, left, wide, day, each }: Column): string {
  if (count === 0) return '';
  const tall = Math.max(2, Math.round((count / most) * (line.ground - 4)));
  const when = each === 1 ? dayOf(day) : `${dayOf(day)} to ${dayOf(day + each - 1)}`;
  const width = Math.max(1, wide - 2).toFixed(1);
  return (
    `<rect class="bar" x="${left.toFixed(1)}" y="${line.ground - tall}" width="${width}" height="${tall}">` +
    `<title>${when}: ${formatCount(count, 'sample', 'samples')}</title></rect>`
  );
}

const dayOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** The page's own colours (renderer/styles/tokens.css), light and dark. */
const light =
  '--surface:#fff;--sunk:#f6f8f9;--line:#dde2e6;--fg:#12181d;--fg-2:#414d57;--fg-3:#58646e;--accent:#0b5f91;' +
  '--b-text:#5a90b3;--b-code:#7a82ab;--b-high:#8f5f86;--b-ff:#59646d;--b-zero:#d3d9de';
const dark =
  '--surface:#161a1d;--sunk:#12161a;--line:#272e33;--fg:#e6ebee;--fg-2:#b4bec6;--fg-3:#97a3ac;--accent:#6dbdea;' +
  '--b-text:#45799a;--b-code:#6a729b;--b-high:#8f6888;--b-ff:#98a3ab;--b-zero:#2c343a';

const htmlStyle = `
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1120px;padding:32px 24px 64px;\
background:var(--surface);color:var(--fg);font:13px/1.5 system-ui,sans-serif}
h1{margin:0 0 4px;font-size:22px;font-weight:600;line-height:1.3;overflow-wrap:anywhere}
h2{margin:32px 0 8px;font-size:14px;font-weight:600}
h3{margin:0;font-size:13px;font-weight:600;overflow-wrap:anywhere}
p{margin:0}
.under{color:var(--fg-2)}
.tlp{display:inline-block;padding:1px 8px;background:#000;font-weight:600;border-radius:3px}
.tlp-clear{color:#fff}.tlp-green{color:#3f0}.tlp-amber{color:#ffc000}.tlp-red{color:#ff2b2b}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));gap:8px 40px}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--fg-2);font:12px system-ui,sans-serif}
svg .number{fill:var(--fg);font-variant-numeric:tabular-nums}
.bar{fill:var(--accent)}.ground{fill:var(--sunk)}.axis{stroke:var(--line);stroke-width:1}
.b-text{fill:var(--b-text)}.b-code{fill:var(--b-code)}.b-high{fill:var(--b-high)}\
.b-ff{fill:var(--b-ff)}.b-zero{fill:var(--b-zero)}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;margin-bottom:8px;color:var(--fg-2)}
.key svg{display:inline;width:10px;height:10px;margin-right:6px}
article{display:grid;grid-template-columns:260px 1fr;gap:4px 20px;padding:12px 0;border-top:1px solid var(--line);\
content-visibility:auto;contain-intrinsic-size:auto 104px;break-inside:avoid}
article>*{min-width:0}
.strip{grid-row:span 2}.strip svg{width:248px;height:40px;background:var(--sunk)}
.none{color:var(--fg-3)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 12px;margin:4px 0 0}
dt{color:var(--fg-3)}dd{margin:0;overflow-wrap:anywhere}
code{font:12px ui-monospace,SFMono-Regular,Consolas,monospace}
.said{grid-column:2;margin-top:6px;padding:6px 10px;background:var(--sunk);border-left:2px solid var(--line)}
.said p{color:var(--fg-3)}
pre{margin:2px 0 0;font:12px/1.5 ui-monospace,SFMono-Regular,Consolas,monospace;\
white-space:pre-wrap;overflow-wrap:anywhere}
footer{margin-top:32px;padding-top:12px;border-top:1px solid var(--line);color:var(--fg-3)}
@media (max-width:720px){article{grid-template-columns:1fr}.said{grid-column:1}}
@media print{:root{${light}}body{max-width:none;padding:0;font-size:10px}\
article{content-visibility:visible}svg,.tlp,.said{print-color-adjust:exact}}
`;

const styleHash = createHash('sha256').update(htmlStyle).digest('base64');

/** Nothing but this one style sheet: no script, no picture or font from anywhere, nothing to send. */
const htmlPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
