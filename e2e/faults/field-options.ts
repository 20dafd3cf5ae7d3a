import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { CommentForm } from './field-record.ts';

/**
 * A proxy before the lab that speaks as servers in the field were seen to (docs/services.md, "The field dialect"): the
 * record in texts, one answer for every refusal, stray bytes after files, content types that say nothing, uploads of
 * the older release.
 */
export interface FieldDialectOptions {
  /** Base address of the lab's service, without `/api.php`. */
  target: string;
  /** 0, the default, for any free port. */
  port?: number;
  /**
   * Where the two bytes `{}` after each file are: counted by Content-Length, or following it on the open connection.
   */
  stray?: StrayBytes;
  comments?: CommentForm;
  /** `none` for a release that does not know `bulkdownload`. */
  bulk?: BulkForm;
  /** What an archive may take of the server's memory: a larger one is a 500; 256 MiB by default. */
  archiveBytesAtMost?: number;
  /** A longer address is refused with 414; Apache's own limit by default. */
  addressBytesAtMost?: number;
  /** PHP's `post_max_size`; 512 MiB by default. */
  bodyBytesAtMost?: number;
  /** How a longer body is handled: PHP drops it and continues with an empty form; Apache refuses it with 413. */
  bodyTooLarge?: 'dropped' | '413';
  /** How JSON and files come as gzip, whatever the client asks for (Apache's `force-gzip`); `none` by default. */
  gzip?: GzipForm;
  /** What comes so: all, the default, or files and archives only. */
  gzipOf?: 'all' | 'files';
  /** A notice of PHP before every reply in JSON, as with displayed errors and the sandbox on; none by default. */
  notices?: 'none' | 'html' | 'text';
  /** `down`: every call is answered with 200 and a text, as the program connects to it first; `up` by default. */
  database?: 'up' | 'down';
  /** Whether uploads get `_` for every character of their name outside `A-Z a-z 0-9 . _ -`; they do by default. */
  rewritesNames?: boolean;
  /**
   * Speaks as the public release 5.1: without `addcomment`, with `getfiles`, `gettagsdata` and `updatefile`, which know
   * these samples of the lab by their MD5s. `null`, the default, for a release with the documented actions only.
   */
  release?: { md5s: readonly string[] } | null;
}
/**
 * `cut-off`: ends in the middle as if that were all. `padded`: followed by 64 MiB of spaces. `bomb`: that, compressed
 * twice.
 */
export type GzipForm = 'none' | 'whole' | 'cut-off' | 'padded' | 'bomb';
export type BulkForm = 'all-or-nothing' | 'none';
export type StrayBytes = 'inside-length' | 'after-length' | 'none';

/** Every option of an answer, as given or as usual. */
export type Answering = Required<Omit<FieldDialectOptions, 'port' | 'release'>>;

const noticeWords = 'Undefined property: stdClass::$cuckoo';
/** As PHP displays it with `html_errors`, and without. */
const notices = {
  none: '',
  html: `<br />\n<b>Notice</b>:  ${noticeWords} in <b>/var/www/html/core.php</b> on line <b>214</b><br />\n`,
  text: `\nNotice: ${noticeWords} in /var/www/html/core.php on line 214\n`,
} as const;

/** JSON as a web page, behind a notice and compressed as the dialect has it. */
export function sendJson({ notices: form, gzip, gzipOf }: Answering, response: ServerResponse, value: unknown): void {
  const text = notices[form] + JSON.stringify(value);
  response.setHeader('Content-Type', 'text/html; charset=UTF-8');
  if (gzip === 'none' || gzipOf === 'files') response.writeHead(200).end(text);
  else sendCompressed(gzip, response, Buffer.from(text));
}

const paddingBytes = 64 * 1024 * 1024;

export function sendCompressed(form: Exclude<GzipForm, 'none'>, response: ServerResponse, bytes: Buffer): void {
  const isPadded = form === 'padded' || form === 'bomb';
  const once = gzipSync(isPadded ? Buffer.concat([bytes, Buffer.alloc(paddingBytes, ' ')]) : bytes);
  const sent = form === 'bomb' ? gzipSync(once) : form === 'cut-off' ? once.subarray(0, once.length / 2) : once;
  response.writeHead(200, {
    'Content-Encoding': form === 'bomb' ? 'gzip, gzip' : 'gzip',
    'Content-Length': sent.length,
  });
  response.end(sent);
}

export const usual = {
  stray: 'inside-length',
  comments: 'single',
  bulk: 'all-or-nothing',
  archiveBytesAtMost: 256 * 1024 * 1024,
  addressBytesAtMost: 8190,
  bodyBytesAtMost: 512 * 1024 * 1024,
  bodyTooLarge: 'dropped',
  gzip: 'none',
  gzipOf: 'all',
  notices: 'none',
  database: 'up',
  rewritesNames: true,
  release: null,
} as const;
