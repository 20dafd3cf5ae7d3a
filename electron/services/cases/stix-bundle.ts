import type { TlpLevel } from '../../../shared/domain/tag.ts';
import {
  type CaseHead,
  type CaseSample,
  type CaseStory,
  isSaid,
  laterOf,
  plainJson,
  SampleNames,
  shownLine,
  shownText,
  tlpName,
} from './case-sample.ts';
import { caseUuid, uuidV5 } from './uuid-v5.ts';

/**
 * A STIX 2.1 bundle: what each sample is observed to be, what points to it and what was said of it, and a report of it
 * all.
 */
export async function* stixBundle({ head, pages }: CaseStory): AsyncGenerator<string, void, void> {
  const identity = stixIdentity(head);
  const refs: string[] = [];
  const names = new SampleNames();
  const taken = new Set<string>();
  const before = [...(head.tlp === null ? [] : [stixMarking(head.tlp)]), ...(identity === null ? [] : [identity])];
  const bundleUuid = caseUuid('bundle', head.computerId, head.author, head.title, head.made.toISOString());
  yield `{"type":"bundle","id":"bundle--${bundleUuid}","objects":[`;
  yield before.map((object) => `\n${plainJson(object)},`).join('');
  for await (const samples of pages()) {
    for (const sample of samples) {
      const objects = stixSample({ sample, name: names.of(sample), file: stixFile(sample, taken) }, head);
      refs.push(...objects.map(({ id }) => id));
      yield objects.map((object) => `\n${plainJson(object)},`).join('');
    }
  }
  yield `\n${plainJson(stixReport(head, refs))}\n]}\n`;
}

/** For identifiers of observables alone (STIX 2.1, 2.9). */
const namespaceOfObservables = '00abedb4-aa42-466c-9c01-fed23315a9b7';

interface StixFile {
  type: 'file';
  spec_version: '2.1';
  id: string;
  hashes: Record<string, string>;
  size?: number;
  name?: string;
  mime_type?: string;
}

/** What is observed of a sample. `taken`: ids of the bundle, to which this one is added. */
export function stixFile(sample: CaseSample, taken: Set<string>): StixFile {
  const { sizeBytes, name, mime } = sample;
  const hashes = hashesOf(sample);
  const named = isSaid(name) ? { name: shownLine(name) } : {};
  return {
    type: 'file',
    spec_version: '2.1',
    id: freeId(hashes, named, taken),
    hashes,
    ...(sizeBytes === null ? {} : { size: sizeBytes }),
    ...named,
    ...(mime === null ? {} : { mime_type: mime }),
  };
}

function hashesOf({ md5, sha1, sha256 }: CaseSample): Record<string, string> {
  return {
    ...(md5 === null ? {} : { MD5: md5 }),
    ...(sha1 === null ? {} : { 'SHA-1': sha1 }),
    ...(sha256 === null ? {} : { 'SHA-256': sha256 }),
  };
}

/**
 * By its name and one hash, the first there is of MD5, SHA-1 and SHA-256. Two rows with one MD5 and one name would be
 * one observable to that rule: the second goes by all it has, outside of the namespace of that rule, as the standard
 * has it of any other.
 */
function freeId(hashes: Readonly<Record<string, string>>, named: { name?: string }, taken: Set<string>): string {
  const [[algorithm, value] = []] = Object.entries(hashes);
  const known = algorithm === undefined || value === undefined ? named : { hashes: { [algorithm]: value }, ...named };
  const id = `file--${uuidV5(namespaceOfObservables, JSON.stringify(known))}`;
  const free = taken.has(id) ? `file--${caseUuid('file', JSON.stringify(hashes), named.name ?? '')}` : id;
  taken.add(free);
  return free;
}

/** What a sensor looks for: the strongest hash that is known. */
function stixPattern({ hashes }: StixFile): string {
  const [algorithm = '', value = ''] = Object.entries(hashes).at(-1) ?? [];
  return `[file:hashes.${literal(algorithm)} = ${literal(value)}]`;
}

/** A string as a pattern has it (STIX 2.1, 9.6.1). */
const literal = (text: string): string => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;

/** The marking definitions of TLP 2.0, as OASIS published them: who knows them knows them by these ids. */
const markingIds: Readonly<Record<TlpLevel, string>> = {
  clear: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
  green: 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
  amber: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
  'amber+strict': 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003',
  red: 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
};
const tlpExtension = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d';

const stixMarking = (level: TlpLevel): object => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id: markingIds[level],
  created: '2022-10-01T00:00:00.000Z',
  name: tlpName(level),
  extensions: { [tlpExtension]: { extension_type: 'property-extension', tlp_2_0: level } },
});

/** The marking of an object. */
const markedAs = (level: TlpLevel | null): { object_marking_refs?: string[] } =>
  level === null ? {} : { object_marking_refs: [markingIds[level]] };

/** An object of a bundle; what else it has is by its type. */
interface StixObject {
  type: string;
  id: string;
  [property: string]: unknown;
}

/**
 * When an object was created may never change once its identifier was given out, and what is known of a sample does.
 */
const casesBegan = '2026-01-01T00:00:00.000Z';

/** Of nothing but the name: an author is not marked by one of the cases. */
function stixIdentity({ computerId, author }: CaseHead): StixObject | null {
  if (author === '') return null;
  return {
    type: 'identity',
    spec_version: '2.1',
    id: identityId(computerId, author),
    created: casesBegan,
    modified: casesBegan,
    name: author,
    identity_class: 'unknown',
  };
}

const identityId = (computerId: string, author: string): string =>
  `identity--${caseUuid('identity', computerId, author)}`;

/** The case as a whole. `refs`: what it is about. */
function stixReport(head: CaseHead, refs: readonly string[]): StixObject {
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
function stixSample(observed: Observed, head: CaseHead): StixObject[] {
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
 * The same object is the same each time this computer exports the case: imported again it is a newer version. In
 * another case it is another one, and marked as that.
 */
function begun(
  type: string,
  { computerId, author, title, tlp, made }: CaseHead,
  ...about: readonly string[]
): StixObject {
  return {
    type,
    spec_version: '2.1',
    id: `${type}--${caseUuid(type, computerId, author, title, ...about)}`,
    ...(author === '' ? {} : { created_by_ref: identityId(computerId, author) }),
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
