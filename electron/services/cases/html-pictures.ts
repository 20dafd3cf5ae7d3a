import { type ByteClass, byteClasses, partsOfStrip } from '../../../shared/domain/byte-classes.ts';
import { harmlessWords } from '../../../shared/domain/sample-table.ts';
import { tellCount } from './case-numbers.ts';
import type { Counts } from './case-summary.ts';
import { htmlLine } from './html-words.ts';

const strip = { part: 4, height: 40, least: 3 } as const;
const bars = { width: 480, row: 20, label: 190, number: 48, most: 12, characters: 26 } as const;
const line = { width: 1070, height: 74, ground: 56, most: 60 } as const;
const mostEntropy = 8;

/** What the bytes look like: their class as hue, their entropy as height; one path for each class. */
export function stripPicture(text: string): string {
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

export const stripKey = `<div class="key">${byteClasses.map(keyOf).join('')}<span>height: entropy</span></div>`;

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
  const room = bars.width - bars.label - bars.number;
  const long = Math.max(1, Math.round((count / most) * room));
  const number = count.toLocaleString('en');
  return (
    `<g role="listitem"><title>${htmlLine(name)}: ${number}</title>` +
    `<text y="${top + 14}">${htmlLine(cut(harmlessWords(name)))}</text>` +
    `<rect class="ground" x="${bars.label}" y="${top + 4}" width="${room}" height="12"/>` +
    `<rect class="bar" x="${bars.label}" y="${top + 4}" width="${long}" height="12"/>` +
    `<text class="number" x="${bars.width}" y="${top + 14}" text-anchor="end">${number}</text></g>`
  );
}

/** Of what is spelt out already: what cannot be seen takes room then, too. */
function cut(name: string): string {
  const characters = [...name];
  return characters.length <= bars.characters ? name : `${characters.slice(0, bars.characters - 1).join('')}…`;
}

const dayMs = 86_400_000;

/** When samples were first seen: a bar for so many days that all of them have room. */
export function timelinePicture(days: Counts): string {
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
  const label = `First seen, ${tellCount(each, 'day', 'days')} per bar`;
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
    `<title>${when}: ${tellCount(count, 'sample', 'samples')}</title></rect>`
  );
}

const dayOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
