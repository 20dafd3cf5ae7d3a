import type { Hashes } from '../../shared/domain/hash.ts';

/** What an export says of one of its samples. `name` is what the service called it: never a file name here. */
export interface ManifestRow extends Hashes {
  sizeBytes: number;
  name: string | null;
}

export const manifestName = 'manifest.csv';

const header = ['sha256', 'sha1', 'md5', 'size_bytes', 'name'];

/**
 * The table that goes with exported samples: CSV as RFC 4180 has it, UTF-8 without a byte order mark, one header line.
 * A cell that a spreadsheet would take for a formula begins with an apostrophe.
 */
export function manifestCsv(rows: readonly ManifestRow[]): Uint8Array {
  const lines = rows.map((row) => [row.sha256, row.sha1, row.md5, String(row.sizeBytes), row.name ?? '']);
  return Buffer.from([header, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join(''), 'utf8');
}

function cell(text: string): string {
  const guarded = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
