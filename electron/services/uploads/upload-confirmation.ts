import { Buffer } from 'node:buffer';
import { plainText } from '../../../shared/domain/comment.ts';
import { plainTag } from '../../../shared/domain/server-record.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import type { Failure } from '../../../shared/failure.ts';
import { encodedOnce } from '../../api/uploads.ts';

/** What went along with a file. `isEncoded`: `%` and `+` of the comment were sent encoded once more. */
export interface SentWords {
  comment: string;
  tags: readonly string[];
  isEncoded: boolean;
}

/** How the record of a stored file differs from what was sent. */
export interface Alteration {
  comment: boolean;
  /** Those that the record lacks. */
  tags: string[];
  /** Whether the server decodes comments once more; null where the record does not show it. */
  decodes: boolean | null;
}

/** What a record, or a reply to an upload, shows of the words that went along. */
export type ShownWords = Pick<SampleRecord, 'listsComments'> & {
  comments: readonly { content: string }[];
  tags: readonly string[];
};

/**
 * Compares the record of a file that was just stored with what was sent (docs/services.md, "uploadfiles"). null: all of
 * it is there. What services change without changing the meaning is no difference: line ends, outer white space,
 * composed letters, entities; the case of tags and their order; and what they add. A record that shows neither comments
 * nor tags is no answer to the question.
 */
export function alterationOf(record: ShownWords, { comment, tags, isEncoded }: SentWords): Alteration | null {
  const showsComments = record.listsComments || record.comments.length > 0;
  const stored = new Set(record.tags.map(plainTag));
  const missing = showsComments || stored.size > 0 ? tags.filter((tag) => !stored.has(plainTag(tag))) : [];
  const texts = new Set(record.comments.map(({ content }) => plainText(content)));
  const isThere = comment.trim() === '' || !showsComments || texts.has(plainText(comment));
  if (isThere && missing.length === 0) return null;
  return { comment: !isThere, tags: missing, decodes: isThere ? null : decodingShown(texts, comment, isEncoded) };
}

function decodingShown(texts: ReadonlySet<string>, comment: string, isEncoded: boolean): boolean | null {
  if (isEncoded) return texts.has(plainText(encodedOnce(comment))) ? false : null;
  return texts.has(plainText(decodedOnce(comment))) ? true : null;
}

/** What a job sends along with its files, and what their records show of how its server reads that. */
export class Confirmation {
  readonly #comment: string;
  readonly #learn: (decodes: boolean) => void;
  #decodes: boolean;
  #isProven = false;

  /** `learn` is called when a record shows that the server reads comments in the other way. */
  constructor({ comment, decodes }: { comment: string; decodes: boolean }, learn: (decodes: boolean) => void) {
    this.#comment = comment;
    this.#decodes = decodes;
    this.#learn = learn;
  }

  /** Whether the comment of the next request is to be encoded once more. */
  get isEncoded(): boolean {
    return this.#decodes;
  }

  /** Whether a wrong encoding would show in the record, and none has shown yet which one is right. */
  get isInQuestion(): boolean {
    return !this.#isProven && showsDecoding(this.#comment);
  }

  /** null: the record of a stored file is as sent. `isEncoded`: as the request had it; null where that is not known. */
  alterationOf(record: ShownWords, tags: readonly string[], isEncoded: boolean | null): Alteration | null {
    const sent = { comment: this.#comment, tags, isEncoded: isEncoded ?? this.#decodes };
    const found = alterationOf(record, sent);
    if (isEncoded === null) return found && { ...found, decodes: null };
    if (found?.comment !== true) this.#isProven ||= showsDecoding(this.#comment);
    else if (found.decodes !== null) {
      this.#isProven = true;
      if (found.decodes !== this.#decodes) this.#learn(found.decodes);
      this.#decodes = found.decodes;
    }
    return found;
  }
}

/** Whether a record has nothing but what a server made of a comment by decoding it once more, or once less. */
export const isMadeOf = (text: string, comment: string): boolean =>
  ['', comment, decodedOnce(comment), encodedOnce(comment)].some((one) => plainText(one) === plainText(text));

/** Whether the two ways in which servers read a comment make two texts of it. */
const showsDecoding = (comment: string): boolean => plainText(decodedOnce(comment)) !== plainText(comment);

export const alteredFailure = (
  { service, address }: { service: 'repository' | 'rule-editor'; address: string },
  { comment, tags, decodes }: Alteration,
): Failure => ({ kind: 'upload-altered', service, address, comment, tags, decoding: decodes !== null });

/** PHP's `urldecode`: `+` is a space, and `%` with two hexadecimal digits a byte; all else stays. */
function decodedOnce(text: string): string {
  const bytes = Buffer.from(text.replaceAll('+', ' '), 'utf8').toString('latin1');
  const decoded = bytes.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return Buffer.from(decoded, 'latin1').toString('utf8');
}
