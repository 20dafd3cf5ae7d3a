import { cutText } from '../../../shared/domain/visible-text.ts';
import { sortTimeOf } from '../../storage/comments/comment-thread.ts';
import {
  type CaseHead,
  type CaseSample,
  type CaseStory,
  familyTagsOf,
  isSaid,
  laterOf,
  plainJson,
  SampleNames,
  shownLine,
  shownText,
} from './case-sample.ts';
import {
  mispAttribute,
  type MispAttribute,
  type MispObject,
  mispObject,
  mispTag,
  type MispTag,
  type MispTemplate,
  type MispValue,
  tlpTag,
  unixSeconds,
} from './misp-object.ts';
import { caseUuid } from './uuid-v5.ts';

/**
 * The JSON of an attribute with a sample's bytes, in pieces; none: it has none. With the first piece it is known
 * whether it has.
 */
export type SampleAttribute = (sample: CaseSample, object: MispObject) => AsyncGenerator<string, void, void>;

const dayLength = 'YYYY-MM-DD'.length;

/**
 * An event as a MISP instance takes it: an object `file` a sample, and behind it one for each text that was written
 * about it.
 */
export async function* mispEvent(
  { head, pages }: CaseStory,
  sampleAttribute: SampleAttribute,
): AsyncGenerator<string, void, void> {
  const event = eventOf(head);
  const names = new SampleNames();
  let attributes = 0;
  let separator = '';
  const objectText = ({ Attribute, ...object }: MispObject): string => {
    attributes += Attribute.length;
    const before = separator;
    separator = ',';
    return `${before}\n${plainJson({ ...object, Attribute }).slice(0, -']}'.length)}`;
  };
  yield `{"Event":${plainJson(event).slice(0, -1)},"Object":[`;
  if (head.author !== '') yield `${objectText(mispAuthor(event.uuid, head))}]}`;
  for await (const samples of pages()) {
    for (const sample of samples) {
      // The same sample in another event is another object: an instance takes each UUID in one event only
      const object = fileObject(sample, caseUuid('object', event.uuid, names.of(sample)), head);
      const bytes = sampleAttribute(sample, object);
      try {
        const first = await bytes.next();
        yield objectText(object);
        if (first.done !== true) {
          attributes += 1;
          yield `,${first.value}`;
          yield* bytes;
        }
      } finally {
        await bytes.return();
      }
      yield `]}${mispAnnotations(sample, object)
        .map((annotation) => `${objectText(annotation)}]}`)
        .join('')}`;
    }
  }
  yield `\n],"Attribute":[],"attribute_count":"${attributes}"}}\n`;
}

/** Without `Orgc` an instance takes the organisation of the importer. */
function eventOf({ computerId, title, author, tlp, made, summary }: CaseHead) {
  const timestamp = unixSeconds(made);
  return {
    id: '0',
    uuid: caseUuid('event', computerId, author, title),
    info: title,
    date: made.toISOString().slice(0, dayLength),
    timestamp,
    // Undefined and ongoing: the case as a whole is not rated
    threat_level_id: '4',
    analysis: '1',
    // The importer decides who else may see it
    distribution: '0',
    sharing_group_id: '0',
    published: false,
    publish_timestamp: '0',
    org_id: '0',
    orgc_id: '0',
    extends_uuid: '',
    Tag: [...(tlp === null ? [] : [tlpTag(tlp)]), ...familyTagsOf(summary).map(mispTag)],
  };
}

const fileTemplate: MispTemplate = {
  name: 'file',
  category: 'file',
  uuid: '688c46fb-5edb-40a3-8273-1af7923e2215',
  version: '25',
  description: 'File object describing a file with meta-information',
};

/** A sample within an event. */
export function fileObject(sample: CaseSample, uuid: string, { made, tlp }: CaseHead): MispObject {
  const timestamp = unixSeconds(made);
  const { threat, firstSeen, lastSeen } = sample;
  return mispObject(fileTemplate, {
    uuid,
    timestamp,
    comment: isSaid(threat) ? shownLine(threat) : '',
    seen: { first: firstSeen, last: laterOf(firstSeen, lastSeen) },
    attributes: valuesOf(sample).map((value) => tagged(mispAttribute(uuid, timestamp, value), hashTagsOf(sample, tlp))),
  });
}

/** Tags are of an event or an attribute, never of an object: those of the sample are with its hashes. */
const tagged = (attribute: MispAttribute, Tag: MispTag[]): MispAttribute =>
  attribute.to_ids && Tag.length > 0 ? { ...attribute, Tag } : attribute;

function hashTagsOf({ tags, serviceTags }: CaseSample, tlp: CaseHead['tlp']): MispTag[] {
  return [
    ...(tlp === null ? [] : [tlpTag(tlp)]),
    ...[...new Set([...tags, ...serviceTags].filter(isSaid).map(shownLine))].map(mispTag),
  ];
}

function valuesOf({ sha256, sha1, md5, name, sizeBytes, mime, type, hits }: CaseSample): MispValue[] {
  const hash = (relation: string, value: string | null): MispValue[] =>
    value === null ? [] : [{ relation, type: relation, category: 'Payload delivery', value, toIds: true }];
  const fact = (
    relation: string,
    value: string | null,
    category: MispValue['category'],
    mispType = relation,
  ): MispValue[] => (isSaid(value) ? [{ relation, type: mispType, category, value: shownLine(value) }] : []);
  return [
    ...hash('sha256', sha256),
    ...hash('sha1', sha1),
    ...hash('md5', md5),
    ...fact('filename', name, 'Payload delivery'),
    ...fact('size-in-bytes', sizeBytes === null ? null : String(sizeBytes), 'Other'),
    ...fact('mimetype', mime, 'Payload delivery', 'mime-type'),
    ...fact('magic', type === null ? null : cutText(type, longestLine), 'Other', 'text'),
    ...textValue(hits.flatMap((rule) => line('Matching YARA rule', rule))),
  ];
}

const line = (what: string, value: string | null): string[] => (isSaid(value) ? [`${what}: ${shownLine(value)}`] : []);

/** One for all rules. The template takes several, but an instance shows each as a row. */
const textValue = (lines: readonly string[]): MispValue[] =>
  lines.length === 0
    ? []
    : [{ relation: 'text', type: 'text', category: 'Other', value: withinLimit(lines).join('\n') }];

/** An instance cuts a value that is longer without a word. */
const mostBytes = 65_535;
const bytesForMore = 100;
const longestLine = 1000;

function withinLimit(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const whole of lines) {
    const shown = cutText(whole, longestLine);
    bytes += Buffer.byteLength(shown) + 1;
    if (bytes > mostBytes - bytesForMore)
      return [...kept, `and ${(lines.length - kept.length).toLocaleString('en')} more lines`];
    kept.push(shown);
  }
  return kept;
}

/**
 * Texts are objects of their own: of attributes outside of objects an instance keeps only the first of those with one
 * type, category and value, and two samples may have the same note.
 */
const annotationTemplate: MispTemplate = {
  name: 'annotation',
  category: 'misc',
  uuid: '5d8dc046-15a1-4ca3-a09f-ed4ede7c4487',
  version: '3',
  description:
    'An annotation object allowing analysts to add annotations, comments, executive summary to a MISP event, ' +
    'objects or attributes.',
};

/** In UTF-16 units. A value may have 65,535 bytes in an instance, and a unit takes three at most. */
const longestPart = 16_000;

interface WrittenText {
  what: 'Note' | 'Comment';
  about: string;
  key: string;
  text: string;
  /** As sent. */
  created: string | null;
}

/** The author of an event. Not its `Orgc`: an instance would make an organisation of a name that no one agreed on. */
function mispAuthor(eventUuid: string, { author, made }: CaseHead): MispObject {
  return annotationOf(caseUuid('annotation', eventUuid, 'author'), unixSeconds(made), {
    what: 'Authors',
    text: author,
    comment: 'Author of the case',
    created: null,
    annotates: null,
  });
}

/** What was written about a sample, each with a reference to its object; a long text in parts. */
export function mispAnnotations(sample: CaseSample, object: MispObject): MispObject[] {
  return [...noteOf(sample), ...commentsOf(sample)]
    .filter(({ text }) => isSaid(text))
    .flatMap(({ what, about, key, text, created }) => {
      const parts = partsOf(shownText(text));
      return parts.map((part, index) =>
        annotationOf(caseUuid('annotation', object.uuid, key, String(index)), object.timestamp, {
          what,
          text: part,
          comment: parts.length === 1 ? about : `${about} (${index + 1} of ${parts.length})`,
          created: sortTimeOf(created),
          annotates: object.uuid,
        }),
      );
    });
}

const noteOf = ({ note, hash }: CaseSample): WrittenText[] =>
  note === null ? [] : [{ what: 'Note', about: `Note on ${hash}`, key: 'note', text: note.text, created: null }];

const commentsOf = ({ comments, hash }: CaseSample): WrittenText[] =>
  comments.map(({ id, author, created, text }) => ({
    what: 'Comment',
    key: id,
    text,
    created,
    about: [
      `Comment on ${hash}`,
      isSaid(author) ? `by ${shownLine(author)}` : null,
      isSaid(created) ? `at ${shownLine(created)}` : null,
    ]
      .filter((part) => part !== null)
      .join(' '),
  }));

interface Annotation {
  what: string;
  text: string;
  comment: string;
  /** UTC, ISO 8601. */
  created: string | null;
  annotates: string | null;
}

function annotationOf(
  uuid: string,
  timestamp: string,
  { what, text, comment, created, annotates }: Annotation,
): MispObject {
  const values: MispValue[] = [
    { relation: 'text', type: 'text', category: 'Other', value: text },
    { relation: 'type', type: 'text', category: 'Other', value: what },
    ...(created === null
      ? []
      : [{ relation: 'creation-date', type: 'datetime', category: 'Other', value: created } satisfies MispValue]),
  ];
  return mispObject(annotationTemplate, {
    uuid,
    timestamp,
    comment,
    annotates,
    attributes: values.map((value) => mispAttribute(uuid, timestamp, value)),
  });
}

/** None begins or ends between the halves of a character. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + longestPart;
    const cut = isHighHalf(text.charCodeAt(end - 1)) ? end - 1 : end;
    parts.push(text.slice(at, cut));
    at = cut;
  }
  return parts;
}

const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
