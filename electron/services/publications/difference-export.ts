import type { ExportResult } from '../../../shared/domain/export.ts';
import type { DifferenceRow } from '../../../shared/domain/publication.ts';
import type { DifferenceFormat } from '../../../shared/domain/rule-review.ts';
import { fail } from '../../../shared/failure.ts';
import { toldAfter } from '../../archive/export/told-after.ts';
import { writeSampleZip } from '../../archive/writing/sample-zip.ts';
import type { PackageRow } from '../../storage/packages/package-store.ts';
import type { PackageExportOptions, PackageExportRequest } from './package-export.ts';
import type { PackageReading } from './package-reading.ts';

export interface DifferenceExportRequest extends PackageExportRequest {
  from: string | null;
  sha256: string;
  format: DifferenceFormat;
}

export interface DifferenceExportOptions extends Pick<PackageExportOptions, 'store' | 'files' | 'offer'> {
  reading: Pick<PackageReading, 'patch' | 'difference'>;
}

interface Rows {
  from: PackageRow | null;
  to: PackageRow;
}

const rowsAtOnce = 1000;
/** No name of a service's is in the archive. */
const memberNames: Readonly<Record<DifferenceFormat, string>> = { patch: 'difference.patch', json: 'difference.json' };

function requireMemberName(name: string): void {
  if (!Object.values(memberNames).includes(name)) throw new TypeError('a difference is named by its format');
}

/**
 * The difference of two packages leaves in a password ZIP: a patch is rule text, which scanners eat. @throws
 * FailureError `password-empty`, `no-export-folder`, what the disk throws, and why a package cannot be opened
 */
export async function exportDifference(
  { reading, store, files, offer }: DifferenceExportOptions,
  rows: Rows,
  request: DifferenceExportRequest,
  folder: string | null,
): Promise<ExportResult> {
  const { workspaceId, to, format, encryption, password } = request;
  const bytes = format === 'patch' ? await patchOf(reading, request) : await jsonOf(reading, rows, request);
  const name = nameOf(rows);
  const members = writeSampleZip(
    [{ name: memberNames[format], sizeBytes: bytes.length, open: () => [bytes] }],
    { encryption, password },
    undefined,
    requireMemberName,
  );
  const zip = toldAfter(members, (outcome) =>
    store.noteExport(workspaceId, rows.to, { outcome, to, encryption, difference: format }),
  );
  const fileName = `${name}.zip`;
  if (to === 'browser') return offer({ fileName, sizeBytes: null, open: () => zip });
  return { kind: 'folder', ...(await files.write(folder ?? fail({ kind: 'no-export-folder' }), fileName, zip)) };
}

async function patchOf(
  reading: DifferenceExportOptions['reading'],
  { workspaceId, from, sha256 }: DifferenceExportRequest,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at: number | null = 0; at !== null;) {
    const { text, next }: { text: string; next: number | null } = await reading.patch(workspaceId, from, sha256, at);
    parts.push(Buffer.from(text));
    at = next;
  }
  return Buffer.concat(parts);
}

async function jsonOf(
  reading: DifferenceExportOptions['reading'],
  { from, to }: Rows,
  request: DifferenceExportRequest,
): Promise<Buffer> {
  const rules: DifferenceRow[] = [];
  for (;;) {
    const { counts, rows, total } = await reading.difference(request.workspaceId, request.from, request.sha256, {
      offset: rules.length,
      limit: rowsAtOnce,
    });
    rules.push(...rows);
    if (rows.length > 0 && rules.length < total) continue;
    const known = { from: from && factsOf(from), to: factsOf(to), counts, rules };
    return Buffer.from(`${JSON.stringify(known, null, 2)}\n`);
  }
}

const factsOf = ({ version, group, sha256 }: PackageRow): object => ({ version, group, sha256 });

/** Versions are a service's text: what no file name should hold is left out of them. */
function nameOf({ from, to }: Rows): string {
  const word = ({ version, sha256 }: PackageRow): string =>
    version.replaceAll(/[^A-Za-z0-9._-]/g, '').slice(0, 60) || sha256.slice(0, 12);
  return `rules-${[...(from === null ? [] : [word(from)]), word(to)].join('-to-')}`;
}
