import { sortTimeOf } from '../../storage/comment-time.ts';
import type { CaseHead, CaseSample } from './case-sample.ts';
import { isSaid, shownLine, shownText } from './case-words.ts';
import { type StixFile, stixPattern } from './stix-file.ts';
import { markedAs } from './stix-markings.ts';
import { caseUuid } from './uuid-v5.ts';

/** An object of a bundle; what else it has is by its type. */
export interface StixObject {
  type: string;
  id: string;
  [property: string]: unknown;
}

/** What is the same in every export of one author: it may never change once an identifier was given out. */
const authorsBegan = '2026-01-01T00:00:00.000Z';

export function stixIdentity({ author, tlp, made }: CaseHead): StixObject | null {
  if (author === '') return null;
  return { type: 'identity', spec_version: '2.1', id: identityId(author), created: authorsBegan, modified: laterOf(authorsBegan, made.toISOString()), name: author, identity_class: 'unknown', ...markedAs(tlp) };
}

const identityId = (author: string): string => `identity--${caseUuid('identity', author)}`;

/** The case as a whole. `refs`: what it is about. */
export function stixReport({ title, ...head }: CaseHead, refs: readonly string[]): StixObject {
  const { made, summary: { samples, firstSeen, lastSeen } } = head;
  const sizes = samples === 1 ? '1 sample' : `${samples.toLocaleString('en')} samples`;
  return {
    ...begun('report', head, authorsBegan, title), name: title, description: `${sizes}, first seen ${firstSeen ?? ''}, last seen ${lastSeen ?? ''}.`,
    report_types: ['malware'], published: made.toISOString(), object_refs: refs,
  };
}

/** What is said of a sample; `main` is what a report names, the rest hangs on the file. */
export function stixSample(sample: CaseSample, file: StixFile, head: Omit<CaseHead, 'title'>): { main: StixObject[]; rest: StixObject[] } {
  const indicator = indicatorOf(sample, file, head);
  const malware = isSaid(sample.threat) ? malwareOf(sample, sample.threat, file, head) : null;
  return {
    main: [{ ...file, ...markedAs(head.tlp) }, indicator, ...(malware === null ? [] : [malware])],
    rest: [...(malware === null ? [] : [indicates(sample, indicator, malware, head)]), ...notesOf(sample, file, head)],
  };
}

function indicatorOf(sample: CaseSample, file: StixFile, head: Omit<CaseHead, 'title'>): StixObject {
  return {
    ...begun('indicator', head, sample.firstSeen, sample.hash), name: nameOf(sample), indicator_types: [isSaid(sample.threat) ? 'malicious-activity' : 'unknown'],
    pattern: stixPattern(file), pattern_type: 'stix', pattern_version: '2.1', valid_from: sample.firstSeen, ...labelsOf(sample),
  };
}

function malwareOf(sample: CaseSample, threat: string, file: StixFile, head: Omit<CaseHead, 'title'>): StixObject {
  return {
    ...begun('malware', head, sample.firstSeen, sample.hash), name: shownLine(threat), is_family: false, sample_refs: [file.id],
    first_seen: sample.firstSeen, last_seen: laterOf(sample.firstSeen, sample.lastSeen), ...labelsOf(sample),
  };
}

const indicates = (sample: CaseSample, indicator: StixObject, malware: StixObject, head: Omit<CaseHead, 'title'>): StixObject => ({
  ...begun('relationship', head, sample.firstSeen, 'indicates', sample.hash), relationship_type: 'indicates', source_ref: indicator.id, target_ref: malware.id,
});

function notesOf(sample: CaseSample, file: StixFile, head: Omit<CaseHead, 'title'>): StixObject[] {
  const note = (key: string, created: string, abstract: string, content: string, author: string | null): StixObject[] => (isSaid(content) ? [{
    ...begun('note', head, created, sample.hash, key), abstract, content: shownText(content), ...(isSaid(author) ? { authors: [shownLine(author)] } : {}), object_refs: [file.id],
  }] : []);
  const hits = sample.hits.map(shownLine).join('\n');
  return [
    ...note('hits', sample.firstSeen, 'YARA rules that match', hits, null),
    ...note('note', sample.firstSeen, 'Note', sample.note?.text ?? '', null),
    ...sample.comments.flatMap(({ id, author, created, text }) => note(id, sortTimeOf(created) ?? sample.firstSeen, 'Comment', text, author)),
  ];
}

/** The same object is the same in every case of an author: taken in again it is a newer version. */
function begun(type: string, { author, tlp, made }: Pick<CaseHead, 'author' | 'tlp' | 'made'>, created: string, ...about: readonly string[]): StixObject {
  return {
    type, spec_version: '2.1', id: `${type}--${caseUuid(type, author, ...about)}`,
    ...(author === '' ? {} : { created_by_ref: identityId(author) }),
    created, modified: laterOf(created, made.toISOString()), ...markedAs(tlp),
  };
}

/** Of two times in UTC. */
const laterOf = (one: string, other: string): string => (one > other ? one : other);

const nameOf = ({ name, hash }: CaseSample): string => (isSaid(name) ? shownLine(name) : hash);

function labelsOf({ tags, serviceTags }: CaseSample): { labels?: string[] } {
  const labels = [...new Set([...tags, ...serviceTags].filter(isSaid).map(shownLine))];
  return labels.length === 0 ? {} : { labels };
}
