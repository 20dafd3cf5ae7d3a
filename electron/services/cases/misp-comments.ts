import type { CaseHead, CaseSample } from './case-sample.ts';
import { isSaid, shownLine, shownText } from './case-words.ts';
import { type MispAttribute, mispAttribute, unixSeconds } from './misp-attribute.ts';

/** In UTF-16 units. A value has room for 65,535 bytes in an instance, and a unit takes three at most. */
const longestPart = 16_000;

interface Told {
  about: string;
  key: string;
  text: string;
}

/** What was written about a sample, as comments of the event; a long text in parts. */
export function mispComments(sample: CaseSample, eventUuid: string, { made }: CaseHead): MispAttribute[] {
  return [...noteOf(sample), ...commentsOf(sample)].filter(({ text }) => isSaid(text)).flatMap(({ about, key, text }) => {
    const parts = partsOf(shownText(text));
    return parts.map((value, index) => mispAttribute(eventUuid, unixSeconds(made), {
      relation: null, type: 'comment', category: 'Other', value, key: JSON.stringify([sample.hash, key, index]),
      comment: parts.length === 1 ? about : `${about} (${index + 1} of ${parts.length})`,
    }));
  });
}

const noteOf = ({ note, hash }: CaseSample): Told[] => (note === null ? [] : [{ about: `Note on ${hash}`, key: 'note', text: note.text }]);

const commentsOf = ({ comments, hash }: CaseSample): Told[] => comments.map(({ id, author, created, text }) => ({
  about: [`Comment on ${hash}`, isSaid(author) ? `by ${shownLine(author)}` : null, isSaid(created) ? `at ${shownLine(created)}` : null].filter((part) => part !== null).join(' '),
  key: id, text,
}));

/** None begins or ends between the halves of a character. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + longestPart;
    const cut = isHighHalf(text.charCodeAt(end - 1)) ? end - 1 : end;
    parts.push(text.slice(at, cut));
    at = cut;
  }
  return parts;
}

const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
