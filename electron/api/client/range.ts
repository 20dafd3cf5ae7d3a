import { contentEncodings } from './content-encoding.ts';
import { announcedLength } from './reply-body.ts';
import type { ReplyHead } from './requests.ts';

/** Where a download that broke off is to be resumed. */
export interface RangeStart {
  /** Bytes that are here. */
  offset: number;
  /** Of the reply they came with. */
  validator: string | null;
  /** As that reply announced it; null where it did not. */
  totalBytes: number | null;
}

/** Which bytes of a file a reply holds (RFC 9110, section 14). */
export interface ReplyPart {
  /** Where they begin; null: not where they were requested, or they are of other bytes. They are of no use then. */
  from: number | null;
  /** Of the whole file, stray bytes included; null when it is not known. */
  totalBytes: number | null;
  /** Names these bytes to the server: a strong entity tag, else the time of their last change. */
  validator: string | null;
  /** Whether the bytes from some place on can be requested at all: of a compressed reply the places are not known. */
  canResume: boolean;
  /** Its end is that of the connection, so that a break looks like it. */
  isOpenEnded: boolean;
}

export const rangeHeaders = (from: RangeStart | undefined): Record<string, string> =>
  from === undefined
    ? {}
    : { Range: `bytes=${from.offset}-`, ...(from.validator !== null && { 'If-Range': from.validator }) };

/** Of a 200 or 206. A server that ignores a range gives the whole file. */
export function partIn(head: ReplyHead, requested: RangeStart | undefined): ReplyPart {
  const { statusCode, headers } = head.response;
  const isCompressed = contentEncodings(headers).length > 0;
  const validator = strongTag(headers.etag) ?? headers['last-modified'] ?? null;
  const canResume = !isCompressed && headers['accept-ranges'] !== 'none';
  const length = isCompressed ? null : announcedLength(head);
  const isOpenEnded = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
  const facts = { validator, canResume, isOpenEnded };
  if (statusCode !== 206 || requested === undefined) return { from: 0, totalBytes: length, ...facts };
  const { offset, totalBytes: announced } = requested;
  const [, first = '', total = ''] =
    /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  const totalBytes = total === '' || total === '*' ? null : Number(total);
  const isOfSameLength = announced === null || totalBytes === null || totalBytes === announced;
  const isUsable = !isCompressed && first !== '' && Number(first) === offset && isOfSameLength;
  return { from: isUsable ? offset : null, totalBytes: totalBytes ?? announced, ...facts };
}

const strongTag = (tag: string | undefined): string | null => (tag?.startsWith('"') === true ? tag : null);
