import type { CaseHead, CaseSample } from './case-sample.ts';
import { isSaid, laterOf, shownLine, shownText } from './case-words.ts';
import { type StixFile, stixPattern } from './stix-file.ts';
import { markedAs } from './stix-markings.ts';
import { caseUuid } from './uuid-v5.ts';

/** An object of a bundle; what else it has is by its type. */
export interface StixObject {
  type: string;
  id: string;
  [property: string]: unknown;
}

/**
 * When an object was created may never change once its identifier was given out, and what is known of a sample does.
 */
const casesBegan = '2026-01-01T00:00:00.000Z';

/** Of nothing but the name: an author is not marked by one of the cases. */
export function stixIdentity({ desk, author }: CaseHead): StixObject | null {
  if (author === '') return null;
  return {
    type: 'identity',
    spec_version: '2.1',
    id: identityId(desk, author),
    created: casesBegan,
    modified: casesBegan,
    name: author,
    identity_class: 'unknown',
  };
}

const identityId = (desk: string, author: string): string => `identity--${caseUuid('identity', desk, author)}`;

/** The case as a whole. `refs`: what it is about. */
export function stixReport(head: CaseHead, refs: readonly string[]): StixObject {
  const {
    title,
    made,
    summary: { samples, firstSeen, lastSeen },
  } = head;
  const sizes = samples === 1 ? '1 sample' : `${samples.toLocaleString('en')} samples`;
  return {
    ...begun('report', head),
    name: title,
    description: `${sizes}, first seen ${firstSeen ?? ''}, last seen ${lastSeen ?? ''}.`,
    report_types: ['malware'],
    published: made.toISOString(),
    object_refs: refs,
  };
}

/** A sample on its way into a bundle. `name` is what identifiers know it by. */
interface Observed {
  sample: CaseSample;
  name: string;
  file: StixFile;
}

/** What is said of a sample. */
export function stixSample(observed: Observed, head: CaseHead): StixObject[] {
  const {
    sample: { threat },
    file,
  } = observed;
  const indicator = indicatorOf(observed, head);
  const malware = isSaid(threat) ? malwareOf(observed, threat, head) : null;
  return [
    { ...file, ...markedAs(head.tlp) },
    indicator,
    ...(malware === null ? [] : [malware, indicates(observed, indicator, malware, head)]),
    ...notesOf(observed, head),
  ];
}

function indicatorOf({ sample, name, file }: Observed, head: CaseHead): StixObject {
  return {
    ...begun('indicator', head, name),
    name: nameOf(sample),
    indicator_types: [isSaid(sample.threat) ? 'malicious-activity' : 'unknown'],
    pattern: stixPattern(file),
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: sample.firstSeen,
    ...labelsOf(sample),
  };
}

function malwareOf({ sample, name, file }: Observed, threat: string, head: CaseHead): StixObject {
  return {
    ...begun('malware', head, name),
    name: shownLine(threat),
    is_family: false,
    sample_refs: [file.id],
    first_seen: sample.firstSeen,
    last_seen: laterOf(sample.firstSeen, sample.lastSeen),
    ...labelsOf(sample),
  };
}

const indicates = ({ name }: Observed, indicator: StixObject, malware: StixObject, head: CaseHead): StixObject => ({
  ...begun('relationship', head, 'indicates', name),
  relationship_type: 'indicates',
  source_ref: indicator.id,
  target_ref: malware.id,
});

function notesOf({ sample, name, file }: Observed, head: CaseHead): StixObject[] {
  const note = (key: string, abstract: string, content: string, author: string | null): StixObject[] =>
    isSaid(content)
      ? [
          {
            ...begun('note', head, name, key),
            abstract,
            content: shownText(content),
            ...(isSaid(author) ? { authors: [shownLine(author)] } : {}),
            object_refs: [file.id],
          },
        ]
      : [];
  const hits = sample.hits.map(shownLine).join('\n');
  return [
    ...note('hits', 'Matching YARA rules', hits, null),
    ...note('note', 'Note', sample.note?.text ?? '', null),
    ...sample.comments.flatMap(({ id, author, created, text }) =>
      note(id, isSaid(created) ? `Comment, ${shownLine(created)}` : 'Comment', text, author),
    ),
  ];
}

/**
 * The same object is the same each time this desk tells the case: taken in again it is a newer version. In another case
 * it is another one, and marked as that.
 */
function begun(type: string, { desk, author, title, tlp, made }: CaseHead, ...about: readonly string[]): StixObject {
  return {
    type,
    spec_version: '2.1',
    id: `${type}--${caseUuid(type, desk, author, title, ...about)}`,
    ...(author === '' ? {} : { created_by_ref: identityId(desk, author) }),
    created: casesBegan,
    modified: laterOf(casesBegan, made.toISOString()),
    ...markedAs(tlp),
  };
}

const nameOf = ({ name, hash }: CaseSample): string => (isSaid(name) ? shownLine(name) : hash);

function labelsOf({ tags, serviceTags }: CaseSample): { labels?: string[] } {
  const labels = [...new Set([...tags, ...serviceTags].filter(isSaid).map(shownLine))];
  return labels.length === 0 ? {} : { labels };
}
