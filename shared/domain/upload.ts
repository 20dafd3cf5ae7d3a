import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { byteStrip } from './byte-classes.ts';
import { commentText } from './comment.ts';
import { md5, sha1, sha256 } from './hash.ts';
import { archivePasswordList, archiveRemark, nameEncoding, zipMime } from './opened-archive.ts';
import { tag, tlpLevel } from './tag.ts';

/** A file the person handed to the page: the host knows where its bytes are, the page only this. */
export const stagedFile = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/, 'a staged file id'),
  name: z.string(),
  sizeBytes: z.number().int().nonnegative(),
});
export type StagedFile = z.infer<typeof stagedFile>;

/** Numbered by the database, never reused. */
export const uploadFileId = z.number().int().positive();
const count = z.number().int().nonnegative();

export const mostDraftFiles = 100_000;

/**
 * `hashing` until its hashes are known; `ready` can be sent; `empty` has no bytes; `same` holds the bytes of another
 * file of the draft (`sameAs`); `unreadable` is gone, cannot be read, or is a member that was refused (`failure`).
 */
const uploadFileState = z.enum(['hashing', 'ready', 'empty', 'same', 'unreadable']);

/**
 * Whether the repository has it. `unanswered`: it was asked, and `presenceFailure` is why that is not known. `held`:
 * the file came by itself, by the watched folder; no repository is asked about it while it is not ticked.
 */
const presence = z.enum(['unasked', 'new', 'there', 'unanswered', 'held']);
export type Presence = z.infer<typeof presence>;

/** What became of an archive. Its members are files of their own, below it. `locked`: no known password opens it. */
const archiveFacts = z.object({
  state: z.enum(['opening', 'open', 'locked', 'refused']),
  members: count,
  /** Why it is `refused`, or why reading stopped before its end. */
  failure: failureSchema.nullable(),
  /** How the names of its members were read; null where all of them are UTF-8. */
  nameEncoding: nameEncoding.nullable(),
});
export type ArchiveFacts = z.infer<typeof archiveFacts>;

/** A file of a draft, as the review shows it. */
export const uploadFile = z.object({
  id: uploadFileId,
  /** The archive it is a member of. */
  parentId: uploadFileId.nullable(),
  /** The name that is sent; untrusted text. */
  name: z.string(),
  /** Where it was in the folder that was dropped, or in its archive; "" at the top. Shown only. */
  path: z.string(),
  sizeBytes: count,
  md5: md5.nullable(),
  sha1: sha1.nullable(),
  sha256: sha256.nullable(),
  /** By its content; null while it is not known, or of no known type. */
  mime: z.string().nullable(),
  strip: byteStrip.nullable(),
  state: uploadFileState,
  sameAs: uploadFileId.nullable(),
  failure: failureSchema.nullable(),
  archive: archiveFacts.nullable(),
  /** What is unusual about it as an archive, or as the member of one. */
  remarks: z.array(archiveRemark),
  /** Ticked: it is sent, and changed with the other ticked ones. */
  isTicked: z.boolean(),
  tags: z.array(tag),
  tlp: tlpLevel.nullable(),
  virusTotal: z.boolean(),
  sandbox: z.boolean(),
  presence,
  presenceFailure: failureSchema.nullable(),
});
export type UploadFile = z.infer<typeof uploadFile>;

/** A ZIP and nothing else. A program or a picture with a ZIP behind it is a sample as well. */
export const isPlainArchive = ({ archive, mime }: Pick<UploadFile, 'archive' | 'mime'>): boolean =>
  archive !== null && mime === zipMime;

const some = z.object({ files: count, bytes: count });
/** Files that would go to a third party, and the names of the first twenty. */
const receiving = z.object({ files: count, names: z.array(z.string()) });

/** The draft of a workspace as a whole. Numbers are of what is in it now. */
export const uploadDraft = z.object({
  files: count,
  bytes: count,
  comment: z.string(),
  /** When it was last changed, UTC, ISO 8601; null without a draft. */
  saved: z.string().nullable(),
  /** Sendable. */
  toSend: some,
  there: some,
  /** Neither: not ticked, empty, twice, unreadable or still being hashed. */
  leftOut: some,
  /** Ticked, and still being hashed or an archive still being opened: sending waits for them. */
  busy: count,
  /** How many are ticked, sendable or not. */
  ticked: count,
  /** Those of them that tags, TLP and flags are of: neither empty, twice nor unreadable. */
  tickedSamples: count,
  /** Ready and not asked about yet. */
  unasked: count,
  unanswered: count,
  /** They came by themselves, and are not ticked. */
  held: count,
  /** The greatest id of a file that is in it; 0 without one. */
  newest: count,
  /** How many requests sending would take. */
  requests: count,
  virusTotal: receiving,
  sandbox: receiving,
  /** Sendable files whose TLP forbids third parties. */
  closed: count,
});
export type UploadDraft = z.infer<typeof uploadDraft>;

/**
 * Which archives are opened: `once` those whose bytes the draft does not have yet, the usual choice of a person; `each`
 * copies as well, so that the members of every file are there; `never` none.
 */
const archiveOpening = z.enum(['once', 'each', 'never']);
export type ArchiveOpening = z.infer<typeof archiveOpening>;

/**
 * How files of a call are taken in. Passwords are tried on their archives and kept in memory until these are opened.
 */
export const uploadIntake = z
  .object({
    isTicked: z.boolean(),
    archives: archiveOpening,
    passwords: archivePasswordList,
    nameEncoding: nameEncoding.nullable(),
  })
  .partial();
export type UploadIntake = z.infer<typeof uploadIntake>;

export const stagedUpload = z.object({
  id: stagedFile.shape.id,
  path: z.string().max(4096, 'a path of at most 4,096 characters'),
});

const targets = {
  files: z.object({
    kind: z.literal('files'),
    ids: z.array(uploadFileId).min(1, 'a file').max(5000, 'at most 5,000 files a call'),
  }),
  all: z.object({ kind: z.literal('all'), upTo: uploadFileId.optional() }),
};

/**
 * Which files of a draft are meant. `not-held`: all but those that came by themselves and are not ticked. `all` ticks
 * these, too: only where a person answered that they mean them, and then no file with an id above `upTo`, the newest of
 * those they were asked about.
 */
export const uploadTarget = z.discriminatedUnion('kind', [
  targets.files,
  z.object({ kind: z.literal('ticked') }),
  targets.all,
  z.object({ kind: z.literal('not-held') }),
]);
export type UploadTarget = z.infer<typeof uploadTarget>;

/** The ticked files of a draft. `mark`: another one as soon as other files are ticked. */
export const tickedFiles = z.object({ files: count, mark: sha256 });
export type TickedFiles = z.infer<typeof tickedFiles>;

/**
 * Which files leave a draft. `ticked`: those that had this mark when the person was asked about them, or none. `all`:
 * as of `uploadTarget`.
 */
export const uploadRemoval = z.discriminatedUnion('kind', [
  targets.files,
  z.object({ kind: z.literal('ticked'), mark: tickedFiles.shape.mark }),
  targets.all,
]);
export type UploadRemoval = z.infer<typeof uploadRemoval>;

/** What is left out stays as it is. A TLP that forbids third parties takes the flags off. */
export const uploadChange = z
  .object({
    isTicked: z.boolean(),
    addTags: z.array(tag).max(100, 'at most 100 tags'),
    removeTags: z.array(z.string()).max(100, 'at most 100 tags'),
    tlp: tlpLevel.nullable(),
    virusTotal: z.boolean(),
    sandbox: z.boolean(),
  })
  .partial();
export type UploadChange = z.infer<typeof uploadChange>;

/**
 * Files of a draft that are sent by themselves, ticked or not, with a comment of their own. The rest of the draft and
 * its comment stay.
 */
export const uploadOrder = z.object({
  ids: z.array(uploadFileId).min(1, 'a file').max(mostDraftFiles, 'at most 100,000 files'),
  comment: commentText,
});
export type UploadOrder = z.infer<typeof uploadOrder>;

/** What one request of an upload may hold. A larger file goes alone. */
export interface RequestLimits {
  files: number;
  /** Of the files alone. */
  bytes: number;
}

/** Which files go together, in their order: at most so many and so many bytes a request; a larger file goes alone. */
export class Packing<File extends { sizeBytes: number }> {
  readonly #limits: RequestLimits;
  #open: File[] = [];
  #bytes = 0;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  /** @returns the requests that are full now */
  add(file: File): File[][] {
    const before = this.#open.length > 0 && this.#bytes + file.sizeBytes > this.#limits.bytes ? [this.#take()] : [];
    this.#open.push(file);
    this.#bytes += file.sizeBytes;
    return this.#open.length >= this.#limits.files ? [...before, this.#take()] : before;
  }

  /** What is left, in a request that is not full. */
  rest(): File[][] {
    return this.#open.length === 0 ? [] : [this.#take()];
  }

  #take(): File[] {
    const taken = this.#open;
    this.#open = [];
    this.#bytes = 0;
    return taken;
  }
}

/** How many requests files of these sizes take. */
export function requestsFor(sizesInOrder: readonly number[], limits: RequestLimits): number {
  const packing = new Packing<{ sizeBytes: number }>(limits);
  const full = sizesInOrder.reduce((requests, sizeBytes) => requests + packing.add({ sizeBytes }).length, 0);
  return full + packing.rest().length;
}
