import { z } from 'zod';
import { byteStrip } from './byte-classes.ts';
import { anyHash, md5, sha1, sha256 } from './hash.ts';
import { longestQuery, queryTerms } from './query-fields.ts';
import { sampleRecord, severity } from './sample.ts';
import { tag, tlpLevel } from './tag.ts';
import { workspaceId } from './workspace.ts';

const count = z.number().int().nonnegative();

/** Where a sample's bytes are: not in the vault, there as they should be, gone from it, or not what they were. */
const vaultState = z.enum(['none', 'held', 'missing', 'altered']);
export type VaultState = z.infer<typeof vaultState>;

/**
 * A sample as a row of the library. Times are UTC, ISO 8601. Names, threats and tags of services are untrusted text.
 */
export const libraryRow = z.object({
  /** What the row is known by: its SHA-256, or its MD5 until one is known. */
  hash: anyHash,
  md5: md5.nullable(),
  sha1: sha1.nullable(),
  sha256: sha256.nullable(),
  name: z.string().nullable(),
  sizeBytes: count.nullable(),
  /** By its bytes, else by a service. */
  type: z.string().nullable(),
  /** Local tags. */
  tags: z.array(tag),
  /** Given by services, and not locally; lower case, without the TLP. */
  serviceTags: z.array(z.string()),
  /** The strictest of all sources. */
  tlp: tlpLevel.nullable(),
  /** A record of it was read: without one, no service was asked for its TLP, its tags and its name. */
  isRecorded: z.boolean(),
  threat: z.string().nullable(),
  /** The worst of all records that state one. */
  severity: severity.nullable(),
  /** Rules that hit it, by its last scan. */
  hits: count,
  comments: count,
  hasNote: z.boolean(),
  vault: vaultState,
  firstSeen: z.string(),
  lastSeen: z.string(),
});
export type LibraryRow = z.infer<typeof libraryRow>;

export const librarySortBy = z.enum([
  'hash',
  'name',
  'size',
  'type',
  'tags',
  'tlp',
  'threat',
  'severity',
  'hits',
  'comments',
  'firstSeen',
  'lastSeen',
  'vault',
]);
export type LibrarySortBy = z.infer<typeof librarySortBy>;
/** Rows that have no value come last, whichever way. */
export const librarySort = z.object({ by: librarySortBy, descending: z.boolean() });
export type LibrarySort = z.infer<typeof librarySort>;
export const latestFirst: LibrarySort = { by: 'lastSeen', descending: true };

/** Rows that are meant: named one by one, or all that a query finds but for some. */
export const librarySelection = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('named'),
    hashes: z.array(anyHash).min(1, 'a sample').max(5000, 'at most 5,000 samples a call'),
  }),
  z.object({
    kind: z.literal('query'),
    terms: queryTerms,
    except: z.array(anyHash).max(5000, 'at most 5,000 exceptions'),
  }),
]);
export type LibrarySelection = z.infer<typeof librarySelection>;

/** Which samples a selection meant at a moment. `mark`: another one where it means others, be they as many. */
export const selectionMark = z.object({ samples: count, mark: sha256 });
export type SelectionMark = z.infer<typeof selectionMark>;

/** A call puts a note to so many at once, to all or to none of them; to more a job does. */
export const mostNotedAtOnce = 50;
/** In characters (UTF-16 units). */
export const longestNote = 100_000;
/** Markdown, as the person wrote it. */
export const noteText = z
  .string()
  .max(longestNote, 'a note of at most 100,000 characters')
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'a note of readable characters');
export const sampleNote = z.object({ text: noteText, changed: z.string() });
export type SampleNote = z.infer<typeof sampleNote>;

/**
 * What is done to each of a selection. Tags, TLP and notes belong to bytes: samples whose SHA-256 is not known are left
 * out.
 */
export const libraryChange = z.object({
  add: z.array(tag).max(50, 'at most 50 tags'),
  remove: z.array(tag).max(50, 'at most 50 tags'),
  /** The local TLP; null removes it; left out, it stays. */
  tlp: tlpLevel.nullable().optional(),
  /** Only samples with this local TLP, null: none, are changed at all. */
  whereTlp: tlpLevel.nullable().optional(),
  /** Put below each note, a line between. */
  note: noteText.optional(),
});
export type LibraryChange = z.infer<typeof libraryChange>;

/** The source of a TLP: set locally, a tag (local or of a service), or the file's uploader or scanner. */
export const tlpSource = z.enum(['own', 'tag', 'upload', 'scan']);

/**
 * A name under which a local file with these bytes was added; untrusted text. `path`: the folders and archives it was
 * in.
 */
export const sampleName = z.object({ name: z.string(), path: z.string(), added: z.string() });
export type SampleName = z.infer<typeof sampleName>;

/** All local knowledge of one sample. */
export const librarySample = z.object({
  row: libraryRow,
  note: sampleNote.nullable(),
  /** Every TLP that is said, the strictest first. */
  tlps: z.array(z.object({ level: tlpLevel, source: tlpSource })),
  /** Names under which local files with its bytes were added, newest first. */
  names: z.array(sampleName),
  /**
   * The latest record of each workspace, newest first, at most twenty, without their comments: `comments.thread` has
   * these.
   */
  records: z.array(z.object({ workspaceId, readAt: z.string(), record: sampleRecord })),
  /** The hashes that other samples with its MD5 go by, those in the vault first, at most twenty. */
  sameMd5: z.array(anyHash).max(20),
});
export type LibrarySample = z.infer<typeof librarySample>;

/** What bytes look like; `type` and `strip` are null where the vault cannot give them. */
export const samplePreview = z.object({ sha256, type: z.string().nullable(), strip: byteStrip.nullable() });
export type SamplePreview = z.infer<typeof samplePreview>;

export const viewId = z.number().int().positive();
export const longestViewName = 60;
const viewName = z
  .string()
  .trim()
  .min(1, 'a name')
  .max(longestViewName, 'a name of at most 60 characters')
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'a name of readable characters');
/** A query that is kept, with its order and its columns; null: whichever are shown. */
export const savedView = z.object({
  id: viewId,
  name: viewName,
  query: z.string().max(longestQuery, 'a query of at most 1,000 characters'),
  sort: librarySort,
  columns: z.array(z.string().max(20)).max(20).nullable(),
});
export type SavedView = z.infer<typeof savedView>;

/** How many samples a query finds, and how large they are together. */
export const libraryTotal = z.object({ samples: count, bytes: count });
export type LibraryTotal = z.infer<typeof libraryTotal>;
