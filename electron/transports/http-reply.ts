import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { failed, type Failure, FailureError, type FailureKind, type Result } from '../../shared/failure.ts';
import type { DefectLog } from '../dispatcher.ts';
import type { ExportDownload } from './ports.ts';

/**
 * On every reply. No reply may be framed, sniffed, embedded by another origin, or reveal its address to another site.
 */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** On every reply that is data and no page. */
export const dataHeaders = {
  ...commonHeaders,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const;

export function sendResult(response: ServerResponse, status: number, result: Result<unknown>): void {
  if (response.headersSent || response.destroyed) {
    // Too late for an answer: a body that breaks off is the only way left to say that it is not whole.
    response.destroy();
    return;
  }
  // Those of the reply that was meant to be sent, such as a download's file name.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const body = Buffer.from(JSON.stringify(result));
  response.writeHead(status, { ...dataHeaders, 'content-type': 'application/json', 'content-length': body.byteLength });
  response.end(body);
}

/**
 * Sends a body as fast as the page takes it. Headers set beforehand go out with the first bytes. Throws what the
 * source throws, when the page goes away, and when the body is not as long as its Content-Length said.
 */
export async function sendBytes(response: ServerResponse, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // A page that left earlier emits no further event.
  if (response.destroyed) gone.abort();
  response.strictContentLength = true;
  for await (const chunk of bytes) {
    gone.signal.throwIfAborted();
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal });
  }
  response.end();
}

/** Answers an error thrown on the way: a failure as data, a defect as an id that leads to the log. */
export function sendError(response: ServerResponse, operation: string, error: unknown, logDefect: DefectLog): void {
  if (error instanceof FailureError) {
    sendResult(response, statusOf(error.failure), failed(error.failure));
    return;
  }
  const id = randomUUID();
  logDefect(id, operation, error);
  sendResult(response, 500, failed({ kind: 'unexpected', id }));
}

const refusedStatus = { sender: 403, host: 403, origin: 403, method: 405, 'media-type': 415 } as const;

const statuses: Partial<Record<FailureKind, number>> = {
  'bad-input': 400,
  'session-missing': 401,
  'session-refused': 401,
  'link-used': 401,
  'unknown-operation': 404,
  'export-gone': 404,
  'body-too-large': 413,
};

/** 422 for a request that was understood but failed: the failure gives the reason. */
function statusOf(failure: Failure): number {
  return failure.kind === 'sender-refused' ? refusedStatus[failure.reason] : (statuses[failure.kind] ?? 422);
}

/**
 * Sends a prepared export as a browser download. Nothing is sent before its first bytes are there, so that what
 * cannot begin is answered as a failure; what breaks off later breaks the connection and never looks whole.
 */
export async function sendDownload(response: ServerResponse, download: ExportDownload): Promise<void> {
  for (const [name, value] of Object.entries(headersOf(download))) response.setHeader(name, value);
  await sendBytes(response, download.open());
}

function headersOf({ fileName, sizeBytes }: ExportDownload): Record<string, string> {
  return {
    ...dataHeaders,
    'content-type': 'application/octet-stream',
    'content-disposition': contentDisposition(fileName),
    ...(sizeBytes === null ? {} : { 'content-length': String(sizeBytes) }),
  };
}

/** RFC 6266: an ASCII name for old readers, the real one in UTF-8. Neither can leave its folder or its quotes. */
export function contentDisposition(fileName: string): string {
  const safe =
    fileName
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_')
      .replace(/^\.+/, '_') || 'export';
  const ascii = safe.replace(/[^\x20-\x7e]|%/g, '_');
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
