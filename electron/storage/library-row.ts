import { z } from 'zod';
import type { LibraryRow, VaultState } from '../../shared/domain/library.ts';
import { tag, type TlpLevel, tlpLevels } from '../../shared/domain/tag.ts';

/** A row of `sample` with this desk's tags. Loose about hashes: what was stored was checked when it came in. */
export const storedLibraryRow = z.object({
  md5: z.string(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
  name: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  type: z.string().nullable(),
  tags: z.string(),
  ownTags: z.string().nullable(),
  tlp: z.number().nullable(),
  isRecorded: z.number(),
  threat: z.string().nullable(),
  hits: z.number(),
  comments: z.number(),
  hasNote: z.number(),
  inVault: z.number(),
  damage: z.enum(['missing', 'altered']).nullable(),
  firstSeen: z.string(),
  lastSeen: z.string(),
});
export type StoredLibraryRow = z.infer<typeof storedLibraryRow>;

/** Whether a record speaks of it, in a statement over `sample`. One that names a SHA-256 speaks of that sample only. */
export const isRecorded = `EXISTS (SELECT 1 FROM record WHERE record.md5 = sample.md5
  AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256))`;

/** What `storedLibraryRow` reads, of a table `sample`. */
export const libraryColumns = `sample.md5, sample.sha1, sample.sha256, sample.name, sample.size_bytes AS sizeBytes,
  sample.type, sample.tags,
  (SELECT group_concat(tag ORDER BY tag) FROM sample_tag WHERE sample_tag.sha256 = sample.sha256) AS ownTags,
    sample.tlp, ${isRecorded} AS isRecorded, sample.threat, sample.hits,
  sample.comments, sample.has_note AS hasNote, sample.in_vault AS inVault, sample.damage,
    sample.first_seen AS firstSeen, sample.last_seen AS lastSeen`;

export function libraryRowOf({
  ownTags,
  tags,
  tlp,
  isRecorded: recorded,
  hasNote,
  inVault,
  damage,
  ...row
}: StoredLibraryRow): LibraryRow {
  return {
    ...row,
    ...tagsOf(tags, ownTags),
    hash: row.sha256 ?? row.md5,
    tlp: levelOf(tlp),
    isRecorded: recorded === 1,
    hasNote: hasNote === 1,
    vault: vaultStateOf(inVault, damage),
  };
}

/** Tags have no comma. */
function tagsOf(all: string, own: string | null): Pick<LibraryRow, 'tags' | 'serviceTags'> {
  const tags = (own ?? '').split(',').filter((one) => tag.safeParse(one).success);
  const here = new Set(tags);
  return { tags, serviceTags: all.split(',').filter((one) => one !== '' && !here.has(one)) };
}

/** A level that cannot be read may be the strictest there is, and is taken for it. */
const levelOf = (stored: number | null): TlpLevel | null => (stored === null ? null : (tlpLevels[stored] ?? 'red'));

const vaultStateOf = (inVault: number, damage: VaultState | null): VaultState =>
  damage ?? (inVault === 1 ? 'held' : 'none');
