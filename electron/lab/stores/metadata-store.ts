import type { Hashes } from '../../../shared/domain/hash.ts';
import type { LabPublication, LabRight } from '../../../shared/domain/lab.ts';
import { OperatorError } from '../errors.ts';

/** The repository's data of a sample besides its bytes. `uploaded` is UTC, ISO 8601. */
export interface SampleFacts {
  name: string;
  mime: string | null;
  threat: string | null;
  /** Severity: 1 bad, 2 unwanted, 3 other (docs/services.md, `criticity`). */
  criticity: 1 | 2 | 3;
  tags: string[];
  uploader: string;
  uploaded: string;
  /** Its bytes are for tokens with the right `restricted` only; its record is for all. */
  restricted: boolean;
  /** The uploader asked to forward it to VirusTotal or to a sandbox. The lab forwards nothing. */
  virusTotal: boolean;
  sandbox: boolean;
}

/** Characters of a tag, at most: an entry in an index of PostgreSQL has 2,704 bytes. */
export const longestStoredTag = 500;

export interface StoredSample extends SampleFacts {
  hashes: Hashes;
  sizeBytes: number;
}

/** A sample on its way in, and where its bytes are. */
export interface NewSample {
  sample: StoredSample & { place: string };
  comments: readonly NewComment[];
}

/** `md5-taken`: by other bytes, which stay as they are. */
export type AddOutcome = 'added' | 'already-here' | 'md5-taken';

/** Bytes that a row names. */
export interface StoredBlob {
  sha256: string;
  sizeBytes: number;
  /** The blob store's own word for where they are. */
  place: string;
}

/** What sending a sample's bytes takes. */
export interface StoredFile extends StoredBlob {
  md5: string;
  restricted: boolean;
}

export interface StoredComment {
  id: number;
  parent: number | null;
  author: string;
  content: string;
  /** UTC, ISO 8601. */
  created: string;
}

/** A thread before it has identifiers: replies hang under what they answer. */
export interface NewComment {
  author: string;
  content: string;
  created: string;
  replies: NewComment[];
}

/** A comment on a sample that is there. */
export interface AddedComment {
  parent: number | null;
  author: string;
  content: string;
  /** UTC, ISO 8601. */
  created: string;
}

/** A comment of a sample's, in the order in which they were written. */
export interface ListedComment extends Omit<AddedComment, 'parent'> {
  /** The position in the list of the comment that it answers, which is in front of it. */
  parent: number | null;
}

/** All that is stored of a sample besides its bytes. */
export interface StoredRecord {
  sample: StoredSample & { place: string };
  /** Oldest first. */
  comments: readonly ListedComment[];
}

/** A publication and where its package is: the ZIP in the blob store. */
export type StoredPublication = LabPublication & StoredBlob;

/** A package as it was requested. */
export interface PublicationLink {
  publication: StoredPublication;
  /** Its name does not show that it is a ZIP. */
  isPublic: boolean;
  isEncrypted: boolean;
}

/** The same on its way in: the link is its secret, and only the digest of it is stored. */
export interface NewLink extends Omit<PublicationLink, 'publication'> {
  /** SHA-256, 64 hex characters. */
  digest: string;
  /** The identifier. */
  publication: string;
  /** From now on. */
  seconds: number;
}

/** What a lab is stocked with once, each by a release number of its own. */
export type Stock = 'sample-files' | 'starter-rules';

export interface StoredToken {
  id: number;
  name: string;
  /** SHA-256 of the token, 64 hex characters. The token itself is nowhere. */
  sha256: string;
  rights: LabRight[];
  created: string;
  /** The day of its last use, such as `2026-11-30`; null while it is unused. */
  lastUsed: string | null;
}

/**
 * Where the lab keeps what it knows, without the bytes. Everything in one call is stored together or not at all, and
 * several processes may call at once.
 */
export interface MetadataStore {
  /** A sample and its comments, oldest first; null for an MD5 that is not there. */
  recordByMd5(md5: string): Promise<{ sample: StoredSample; comments: StoredComment[] } | null>;
  /** In the order asked; null for a SHA-256 that is not there. */
  recordsBySha256(sha256s: readonly string[]): Promise<(StoredRecord | null)[]>;
  /** In the order asked; null for an MD5 that is not there. */
  filesByMd5(md5s: readonly string[]): Promise<(StoredFile | null)[]>;
  /**
   * Samples become visible with this call; an outcome each, in their order. One that is there already stays as it is,
   * and so does one of the same bytes earlier in the list.
   */
  addSamples(samples: readonly NewSample[]): Promise<AddOutcome[]>;
  /** The same, with comments in the order in which they were written. */
  addRecords(records: readonly StoredRecord[]): Promise<AddOutcome[]>;
  /** Its number; null when the parent is no comment of this sample. */
  addComment(sha256: string, comment: AddedComment): Promise<number | null>;
  /** Newest first. */
  publications(): Promise<StoredPublication[]>;
  /** The newest Release; where there is none, the newest of all. */
  currentPublication(): Promise<StoredPublication | null>;
  publication(id: string): Promise<StoredPublication | null>;
  /** Fails with OperatorError when another version has its ID. */
  addPublication(publication: StoredPublication): Promise<'added' | 'version-taken'>;
  /** Expired links are removed with it. */
  addLink(link: NewLink): Promise<void>;
  /** Null for a digest that was never added, and for a link that has expired. */
  linkAt(digest: string): Promise<PublicationLink | null>;
  /** Those of the places of bytes that no sample and no publication names. */
  unknownAmong(places: readonly string[]): Promise<string[]>;
  /** Bytes that rows name, by their SHA-256 in order, behind the one given; at most so many. */
  blobsAfter(sha256: string | null, most: number): Promise<StoredBlob[]>;
  /** Which release of it was stocked completely; 0 for none. */
  stockedRelease(of: Stock): Promise<number>;
  recordStocked(of: Stock, release: number): Promise<void>;
  tokens(): Promise<StoredToken[]>;
  /** Whose token has this digest, the SHA-256 in hex; null for one that was never added or is revoked. */
  tokenByDigest(sha256: string): Promise<StoredToken | null>;
  addToken(token: Omit<StoredToken, 'id' | 'lastUsed'>): Promise<StoredToken>;
  /** `day` as `lastUsed` has it. */
  noteTokenUse(id: number, day: string): Promise<void>;
  /** Revokes it for good. False when there was none with that number. */
  removeToken(id: number): Promise<boolean>;
  /** Whether a token with this digest was there and is revoked. */
  isRevoked(sha256: string): Promise<boolean>;
  close(): Promise<void>;
}

/** The fact by which a store remembers that the token with this digest is revoked. */
export const revokedFact = (sha256: string): string => `revoked ${sha256}`;

export function idTaken(id: string): never {
  throw new OperatorError(`Another version has been published with the ID ${id}.`);
}

/** Threads as a list: each comment, and behind it what answers it. */
export function listed(threads: readonly NewComment[]): ListedComment[] {
  const list: ListedComment[] = [];
  const add = (parent: number | null, { replies, ...comment }: NewComment): void => {
    const position = list.push({ ...comment, parent }) - 1;
    for (const reply of replies) add(position, reply);
  };
  for (const thread of threads) add(null, thread);
  return list;
}

/** Comments by the positions of those they answer, in place of their numbers. */
export function byPosition(comments: readonly StoredComment[]): ListedComment[] {
  const positions = new Map(comments.map(({ id }, position) => [id, position]));
  return comments.map(({ author, content, created, parent: id }) => {
    const parent = id === null ? null : positions.get(id);
    if (parent === undefined) throw new TypeError('a comment answers one of another sample');
    return { author, content, created, parent };
  });
}
