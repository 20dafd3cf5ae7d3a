import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { bodyTooLarge, empty, notEnoughRights } from './field-refusals.ts';
import { type PhpFile, readPhpForm } from './php-form.ts';
import { type FormReply, postForm } from './post-form.ts';

export interface ScanDialect {
  /** The lab's rule editor, without `/api.php`. */
  target: string;
  /** `stray-text`: a warning of the program precedes the JSON. */
  scans: 'triples' | 'stray-text';
  /** PHP's `post_max_size`. */
  bodyBytesAtMost: number;
}

const match = z.object({
  rule: z.string(),
  tags: z.array(z.string()),
  meta: z.record(z.string(), z.string()),
  strings: z.array(z.object({ id: z.string(), offset: z.number(), data: z.string().nullable() })),
});
const labReply = z.object({ matches: z.array(match) });
const labRefusal = z.object({ error: z.object({ message: z.string() }) });

const warning =
  '<br />\n<b>Warning</b>:  scandir(): (errno 2) in <b>/var/www/rules/scan.php</b> on line <b>41</b><br />\n';

/** The first part named `files[]` is scanned, whatever comes with it. A scan that failed is 200 as well. */
export async function answerScan(
  { target, scans, bodyBytesAtMost }: ScanDialect,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
): Promise<void> {
  const form = await readPhpForm(request, bodyBytesAtMost);
  if (form === null) return bodyTooLarge(response);
  const file = form.files.find(({ field }) => field === 'files[]');
  if (file === undefined) return sendPage(response, { valid: false, error: 'No file was given' });
  const reply = await postForm(`${target}/api.php?${query}`, formWith(file));
  if (reply.status === 401) return empty(response, 401);
  if (reply.status === 403) return notEnoughRights(null, response);
  if (reply.status === 503) return busy(response, reply);
  sendPage(response, inDialect(reply), scans === 'stray-text' ? warning : '');
}

function busy(response: ServerResponse, { headers }: FormReply): void {
  response.writeHead(503, { 'Retry-After': headers['retry-after'] ?? '1', 'Content-Length': 0 });
  response.end();
}

function formWith({ name, bytes }: PhpFile): FormData {
  const form = new FormData();
  form.append('files[]', new Blob([new Uint8Array(bytes)]), name.replace(/[^A-Za-z0-9._-]/g, '_'));
  return form;
}

function inDialect({ status, text }: FormReply): unknown {
  const said: unknown = JSON.parse(text);
  if (status !== 200) return { valid: false, error: labRefusal.parse(said).error.message };
  const matches = labReply.parse(said).matches.map(({ rule, tags, meta, strings }) => ({
    rule,
    tags: tags.join(','),
    metas: meta,
    strings: strings.map(({ id, offset, data }) => [String(offset), id, data?.toUpperCase() ?? null]),
  }));
  return { valid: true, matches, has_matches: matches.length > 0 };
}

function sendPage(response: ServerResponse, value: unknown, before = ''): void {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' });
  response.end(before + JSON.stringify(value));
}
