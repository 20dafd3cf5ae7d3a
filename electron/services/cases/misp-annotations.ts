import { sortTimeOf } from '../../storage/comments/comment-thread.ts';
import type { CaseHead, CaseSample } from './case-sample.ts';
import { isSaid, shownLine, shownText } from './case-words.ts';
import { mispAttribute, type MispValue, unixSeconds } from './misp-attribute.ts';
import { type MispObject, mispObject, type MispTemplate } from './misp-object.ts';
import { caseUuid } from './uuid-v5.ts';

/**
 * Texts are objects of their own: of attributes outside of objects an instance keeps only the first of those with one
 * type, category and value, and two samples may have the same note.
 */
const template: MispTemplate = {
  name: 'annotation',
  category: 'misc',
  uuid: '5d8dc046-15a1-4ca3-a09f-ed4ede7c4487',
  version: '3',
  description:
    'An annotation object allowing analysts to add annotations, comments, executive summary to a MISP event, ' +
    'objects or attributes.',
};

/** In UTF-16 units. A value has room for 65,535 bytes in an instance, and a unit takes three at most. */
const longestPart = 16_000;

interface Told {
  what: 'Note' | 'Comment';
  about: string;
  key: string;
  text: string;
  /** As sent. */
  created: string | null;
}

/**
 * Who says what an event tells. Not its `Orgc`: an instance would make an organisation of a name that nobody agreed on.
 */
export function mispAuthor(eventUuid: string, { author, made }: CaseHead): MispObject {
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

const noteOf = ({ note, hash }: CaseSample): Told[] =>
  note === null ? [] : [{ what: 'Note', about: `Note on ${hash}`, key: 'note', text: note.text, created: null }];

const commentsOf = ({ comments, hash }: CaseSample): Told[] =>
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
  return mispObject(template, {
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
