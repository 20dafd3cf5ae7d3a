import type { Hashes } from '../../shared/domain/hash.ts';
import type { LabPublication, LabRight } from '../../shared/domain/lab.ts';

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

export interface StoredSample extends SampleFacts {
  hashes: Hashes;
  sizeBytes: number;
}

export interface StoredFile extends Pick<StoredSample, 'sizeBytes' | 'restricted'> {
  md5: string;
  sha256: string;
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

/** A publication and where its package is: the ZIP in the blob store. */
export interface StoredPublication extends LabPublication {
  sha256: string;
  sizeBytes: number;
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
}

/**
 * Where the lab keeps what it knows, without the bytes. Everything in one call is stored together or not at all.
 * Asynchronous although today's adapter is not, so that a database server can be used.
 */
export interface MetadataStore {
  sampleByMd5(md5: string): Promise<StoredSample | null>;
  /** What sending their bytes takes, in the order asked; null for an MD5 that is not there. */
  filesByMd5(md5s: readonly string[]): Promise<(StoredFile | null)[]>;
  /** Oldest first. */
  commentsOf(sha256: string): Promise<StoredComment[]>;
  /**
   * The sample becomes visible with this call. An MD5 that is taken by other bytes fails with `two-samples-one-md5`.
   */
  addSample(sample: StoredSample, comments: NewComment[]): Promise<'added' | 'already-here'>;
  /** Samples none of which is there: all of them become visible, or none. */
  addSamples(samples: readonly { sample: StoredSample; comments: NewComment[] }[]): Promise<void>;
  /** Its number; null when the parent is no comment of this sample. */
  addComment(sha256: string, comment: AddedComment): Promise<number | null>;
  /** Newest first. */
  publications(): Promise<StoredPublication[]>;
  publication(id: string): Promise<StoredPublication | null>;
  /** False when its version is taken. */
  addPublication(publication: StoredPublication): Promise<boolean>;
  /** Whether a sample or a publication has these bytes. */
  isKnown(sha256: string): Promise<boolean>;
  /** Which release of it was stocked completely; 0 for none. */
  stockedRelease(of: Stock): Promise<number>;
  recordStocked(of: Stock, release: number): Promise<void>;
  tokens(): Promise<StoredToken[]>;
  addToken(token: Omit<StoredToken, 'id'>): Promise<StoredToken>;
  /** False when there was none with that number. */
  removeToken(id: number): Promise<boolean>;
  close(): Promise<void>;
}
