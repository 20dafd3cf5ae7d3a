import { z } from 'zod';
import type { Hashes } from '../../../shared/domain/hash.ts';
import { type ArchiveRemark, type NameEncoding, nameEncoding } from '../../../shared/domain/opened-archive.ts';
import { forbidsThirdParties, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { type ArchiveFacts, type ArchiveOpening, type UploadFile, uploadFile } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure.ts';
import { readJson } from '../database/stored-json.ts';

/**
 * A file as a draft takes it. What an archive held takes the tags, the TLP and the tick of its archive, unless it
 * brings its own.
 */
export interface NewUploadFile {
  parentId: number | null;
  name: string;
  path: string;
  stagedId: string | null;
  /** Where its bytes are found again: kept as JSON, and never looked into. */
  place: unknown;
  sizeBytes: number;
  hashes?: Hashes;
  /** Why it cannot be sent, where that is known already. */
  failure?: Failure | null;
  /** Ticked, where it is left out. A member is only if its archive is. */
  isTicked?: boolean;
  tags?: readonly string[];
  tlp?: TlpLevel | null;
  /** No question is asked about it while it is not ticked. Members are as their archive is. */
  cameByItself?: boolean;
  remarks?: readonly ArchiveRemark[];
  /** Its number among the members of its archive. */
  member?: number;
  /** If it is an archive. */
  archives?: ArchiveOpening;
  nameEncoding?: NameEncoding | null;
}

/** What became of an archive, and what is unusual about it. */
export interface OpenedArchive extends ArchiveFacts {
  remarks: readonly ArchiveRemark[];
}

export interface StoredUploadFile extends UploadFile {
  workspaceId: string;
  /** The upload it is sent by; null in a draft. */
  jobId: number | null;
  stagedId: string | null;
  place: unknown;
  /** The whole body of a request with it may have left. */
  maySent: boolean;
  /** The service refused that body, and may have kept it: its record decides, where it answers for one. */
  wasRefused: boolean;
  /** A person chose it, or it was guessed before. */
  nameEncoding: NameEncoding | null;
}

/** What is stored of an earlier sending, as `may_sent`. */
export const sendingMarks = { none: 0, maySent: 1, refused: 2 } as const;

export const uploadRow = z.object({
  id: z.number(),
  workspaceId: z.string(),
  jobId: z.number().nullable(),
  parentId: z.number().nullable(),
  name: z.string(),
  path: z.string(),
  stagedId: z.string().nullable(),
  place: z.string().nullable(),
  sizeBytes: z.number(),
  md5: z.string().nullable(),
  sha1: z.string().nullable(),
  sha256: z.string().nullable(),
  mime: z.string().nullable(),
  strip: z.string().nullable(),
  state: z.string(),
  sameAs: z.number().nullable(),
  failure: z.string().nullable(),
  archiveState: z.string().nullable(),
  archiveMembers: z.number(),
  archiveFailure: z.string().nullable(),
  nameEncoding: z.string().nullable(),
  remarks: z.string(),
  isTicked: z.number(),
  tags: z.string(),
  tlp: z.string().nullable(),
  virusTotal: z.number(),
  sandbox: z.number(),
  presence: z.string(),
  presenceFailure: z.string().nullable(),
  maySent: z.number(),
});
type UploadRow = z.infer<typeof uploadRow>;

export const uploadColumns = `id, workspace_id AS workspaceId, job_id AS jobId, parent_id AS parentId, name, path,
  staged_id AS stagedId, place,
  size_bytes AS sizeBytes, md5, sha1, sha256, mime, strip, state, same_as AS sameAs, failure,
    archive_state AS archiveState,
  archive_members AS archiveMembers, archive_failure AS archiveFailure, name_encoding AS nameEncoding, remarks,
    is_ticked AS isTicked, tags, tlp, virus_total AS virusTotal, sandbox,
  iif(is_held AND presence = 'unasked', 'held', presence) AS presence, presence_failure AS presenceFailure,
    may_sent AS maySent`;

/** The failure of a row that cannot be read: what it said of its tags or its TLP is not known, so it is not sent. */
export const damagedRow = (name: string): Failure => ({ kind: 'file-unreadable', name, code: 'ROW_DAMAGED' });

/** One damaged row is shown as a file that cannot be read, and keeps no other from the list. */
export function uploadFileOf(row: UploadRow): UploadFile {
  const {
    archiveState,
    archiveMembers,
    archiveFailure,
    nameEncoding: encoding,
    remarks,
    tags,
    failure,
    presenceFailure,
    isTicked,
    virusTotal,
    sandbox,
    ...same
  } = row;
  const read = uploadFile.safeParse({
    ...same,
    failure: jsonOf(failure),
    archive: archiveState && {
      state: archiveState,
      members: archiveMembers,
      failure: jsonOf(archiveFailure),
      nameEncoding: encoding,
    },
    remarks: readJson(remarks),
    isTicked: isTicked === 1,
    tags: readJson(tags),
    virusTotal: virusTotal === 1,
    sandbox: sandbox === 1,
    presenceFailure: jsonOf(presenceFailure),
  });
  return read.data ?? unreadableOf(row);
}

export const storedUploadFileOf = (row: UploadRow): StoredUploadFile => ({
  ...uploadFileOf(row),
  workspaceId: row.workspaceId,
  jobId: row.jobId,
  stagedId: row.stagedId,
  place: jsonOf(row.place) ?? null,
  maySent: row.maySent > 0,
  wasRefused: row.maySent === sendingMarks.refused,
  nameEncoding: nameEncoding.safeParse(row.nameEncoding).data ?? null,
});

const unreadableOf = ({ id, parentId, name, path, sizeBytes, isTicked }: UploadRow): UploadFile => ({
  id,
  parentId,
  name,
  path,
  sizeBytes: Math.max(0, sizeBytes),
  md5: null,
  sha1: null,
  sha256: null,
  mime: null,
  strip: null,
  state: 'unreadable',
  sameAs: null,
  failure: damagedRow(name),
  archive: null,
  remarks: [],
  isTicked: isTicked === 1,
  tags: [],
  tlp: null,
  virusTotal: false,
  sandbox: false,
  presence: 'unasked',
  presenceFailure: null,
});

/** undefined for what cannot be read. */
const jsonOf = (text: string | null): unknown => (text === null ? null : readJson(text));

/** As the partial indexes of `upload_file` have them: SQLite takes an index only for the very same words. */
export const inDraft = 'job_id IS NULL';
export const hasBytes = "state IN ('ready', 'same')";

/**
 * The bits of the column `traits`. `sendable`: ticked, with hashes, and not known to be there, which is what sending
 * takes; the flags and `closed` (its TLP forbids third parties) are of sendable files only. `busy`: ticked, and being
 * hashed, opened or, since it may be an archive, not looked at yet.
 */
export const uploadTraits = {
  ticked: 1,
  sendable: 2,
  there: 4,
  busy: 8,
  unasked: 16,
  unanswered: 32,
  virusTotal: 64,
  sandbox: 128,
  closed: 256,
  held: 512,
} as const;

export const hasTrait = (trait: keyof typeof uploadTraits): string => `traits & ${uploadTraits[trait]}`;

/** Rows of the draft of a workspace, in their order. */
export const draftInOrder = `FROM upload_file INDEXED BY upload_file_by_place WHERE workspace_id = ?1 AND ${inDraft}`;
export const draftOrder = 'ORDER BY group_id, id';

const openLevels = tlpLevels.filter((level) => !forbidsThirdParties(level)).map((level) => `'${level}'`);

/** Also true for an unreadable TLP: it may forbid third parties. */
export const isClosed = (tlp: string): string => `ifnull(${tlp} NOT IN (${openLevels.join(', ')}), 0)`;

/**
 * The stricter the higher: 0 without a TLP, and over all others where it cannot be read, so that nothing is put in its
 * place.
 */
export const strictness = (tlp: string): string =>
  `CASE WHEN ${tlp} IS NULL
    THEN 0 ${tlpLevels.map((level, index) => `WHEN ${tlp} = '${level}' THEN ${index + 1}`).join(' ')} ELSE 9 END`;

/** Of rows that were removed: what is to be discarded. */
export const stagedIdsOf = (rows: readonly { stagedId: string | null }[]): string[] =>
  rows.flatMap(({ stagedId }) => stagedId ?? []);
