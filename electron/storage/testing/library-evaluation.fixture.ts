import { assertNever } from '../../../shared/assert-never.ts';
import type { LibrarySort } from '../../../shared/domain/library.ts';
import type { NamedMatch, QueryTerm } from '../../../shared/domain/query-fields.ts';
import { tlpLevels } from '../../../shared/domain/tag.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { hashesOf, type StockedSample, tagsOf, workspaceOfRecords } from './library.fixture.ts';

/** What queries mean, said once more and without SQL: slowly, one sample at a time. */
export const isChosen = (sample: StockedSample, terms: readonly QueryTerm[]): boolean =>
  terms.every((term) => holds(sample, term) !== term.negated);

function holds(sample: StockedSample, term: QueryTerm): boolean {
  switch (term.field) {
    case 'any':
      return term.of.some((terms) => isChosen(sample, terms));
    case 'text':
      return (
        valuesOf(sample).some((value) => hasPhrase(value, term.value)) ||
        sample.rules.some((rule) => rule.toLowerCase().includes(term.value.toLowerCase()))
      );
    case 'comment':
      return hasPhrase(sample.comment, term.value);
    case 'name':
    case 'threat':
      return term.isPattern === true
        ? isLike(inLower(sample[term.field]), term.value)
        : hasPhrase(sample[term.field], term.value) || isWhole(sample[term.field], term.value);
    case 'note':
      return term.match.kind === 'any' ? sample.note !== null : hasPhrase(sample.note, term.match.value);
    case 'tag':
      return tagsOf(sample).some((one) => isNamed(one, term.match));
    case 'rule':
      return sample.rules.some((one) => isNamed(one, term.match));
    case 'type':
      if (term.isPattern === true) return isLike(inLower(sample.type), term.value);
      return sample.type !== null && lowerLetters(sample.type).startsWith(lowerLetters(term.value));
    case 'hash': {
      const hashes = hashesOf(sample);
      const asked = term.kind === null ? [hashes.md5, hashes.sha1, hashes.sha256] : [hashes[term.kind]];
      return asked.some((hash) => hash?.startsWith(term.value));
    }
    case 'size':
      return isWithin(sample.sizeBytes, term);
    case 'hits':
      return isWithin(sample.rules.length, term);
    case 'comments':
      return isWithin(sample.comments, term);
    case 'seen':
      return isBetween(sample.lastSeen, term);
    case 'first':
      return isBetween(sample.firstSeen, term);
    case 'date':
      return sample.values.some(([field, day]) => field === 'date' && hasPartOf(day, term));
    case 'tlp':
      if (term.level === 'unknown') return sample.tlp === null && !sample.isRecorded;
      return sample.tlp === (term.level === null ? null : tlpLevels.indexOf(term.level));
    case 'severity':
      return sample.severity === (term.level === null ? null : ['other', 'unwanted', 'bad'].indexOf(term.level));
    case 'invault':
      return (sample.inVault && sample.damage !== 'missing') === term.value;
    case 'source':
      return sample.isRecorded && [workspaceOfRecords, 'a'].some((one) => isNamed(lowerLetters(one), term.match));
    default:
      return sample.values.some(([field, value]) => field === term.field && isNamed(value, term.match));
  }
}

const valuesOf = (sample: StockedSample): (string | null)[] => [
  sample.name,
  ...Object.values(hashesOf(sample)),
  ...tagsOf(sample),
  sample.comment,
  sample.threat,
  sample.note,
];

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** What was typed, or the text that is shown so. */
const hasPhrase = (text: string | null, phrase: string): boolean =>
  [phrase, phrase.replaceAll('\\u202e', '\u202e')].some((meant) => hasWords(text, meant));

/** A text without a word, as a whole. */
const isWhole = (text: string | null, sought: string): boolean => wordsOf(sought).length === 0 && text === sought;

/** The words next to each other, and at least one; the last may be a prefix of at least two letters. */
function hasWords(text: string | null, phrase: string): boolean {
  const [words, sought] = [wordsOf(text ?? ''), wordsOf(phrase)];
  const last = sought.length - 1;
  const isWord = (word: string | undefined, at: number): boolean => {
    const wanted = sought[at] ?? '';
    return word !== undefined && (at === last && wanted.length > 1 ? word.startsWith(wanted) : word === wanted);
  };
  return sought.length > 0 && words.some((_, from) => sought.every((_wanted, at) => isWord(words[from + at], at)));
}

function isNamed(name: string, match: NamedMatch): boolean {
  if (match.kind === 'any') return true;
  if (match.kind === 'pattern') return isLike(name, match.value);
  return match.kind === 'exact' ? name === match.value : name.startsWith(match.value);
}

function isLike(text: string | null, pattern: string): boolean {
  const signs: Readonly<Record<string, string>> = { '*': '.*', '?': '.' };
  const source = [...pattern].map((sign) => signs[sign] ?? sign.replace(/[\\^$.|+()[\]{}/]/u, '\\$&')).join('');
  return text !== null && new RegExp(`^${source}$`, 'su').test(text);
}

const inLower = (text: string | null): string | null => (text === null ? null : lowerLetters(text));

const isWithin = (value: number | null, { least, most }: { least: number | null; most: number | null }): boolean =>
  value !== null && value >= (least ?? 0) && value <= (most ?? Number.MAX_SAFE_INTEGER);

const isBetween = (time: string, { from, until }: { from: string | null; until: string | null }): boolean =>
  (from === null || Date.parse(time) >= Date.parse(from)) && (until === null || Date.parse(time) < Date.parse(until));

const dayMs = 86_400_000;

const hasPartOf = (day: string, { from, until }: { from: string | null; until: string | null }): boolean =>
  (from === null || Date.parse(day) + dayMs > Date.parse(from)) &&
  (until === null || Date.parse(day) < Date.parse(until));

/** Those with a value by it, then those without; where they are equal by their age. */
export function inOrder(samples: readonly StockedSample[], { by, descending }: LibrarySort): StockedSample[] {
  const way = descending ? -1 : 1;
  return samples.toSorted((one, other) => {
    const [left, right] = [valueOf(one, by), valueOf(other, by)];
    if (left === null || right === null)
      return Number(left === null) - Number(right === null) || way * (one.number - other.number);
    return way * (compared(left, right) || one.number - other.number);
  });
}

const compared = (left: string | number, right: string | number): number => Number(left > right) - Number(left < right);

function valueOf(sample: StockedSample, by: LibrarySort['by']): string | number | null {
  switch (by) {
    case 'hash': {
      const { sha256, md5 } = hashesOf(sample);
      return sha256 ?? md5;
    }
    case 'name':
    case 'type':
    case 'threat':
      return inLower(sample[by]);
    case 'size':
      return sample.sizeBytes;
    case 'tags': {
      const tags = tagsOf(sample);
      return tags.length === 0 ? null : `,${tags.join(',')},`;
    }
    case 'tlp':
    case 'severity':
      return sample[by];
    case 'hits':
      return sample.rules.length || null;
    case 'comments':
      return sample.comments || null;
    case 'firstSeen':
    case 'lastSeen':
      return sample[by];
    case 'vault':
      return sample.damage === null ? (sample.inVault ? 0 : null) : sample.damage === 'altered' ? 1 : 2;
    default:
      return assertNever(by);
  }
}
