import type { ServerResponse } from 'node:http';
import { dataHeaders, sendBytes } from './http-reply.ts';
import type { ExportDownload } from './ports.ts';

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
