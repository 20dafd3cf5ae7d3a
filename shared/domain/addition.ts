import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { md5, sha1, sha256 } from './hash.ts';
import { archiveRemark } from './opened-archive.ts';
import { stagedFile } from './upload.ts';

const count = z.number().int().nonnegative();

/** Files of one job. */
export const mostAddedFiles = 100_000;
export const mostAddedACall = 500;

/**
 * `stored` in the vault, or `already-here`; `opened`: an archive of which every member was taken, which is not kept
 * itself; `empty`: a file without a byte; `failed`: it cannot be read, or is a member that was refused.
 */
export const addedStates = ['failed', 'empty', 'waiting', 'stored', 'already-here', 'opened'] as const;
export const addedState = z.enum(addedStates);
export type AddedState = z.infer<typeof addedState>;

/**
 * The result of an archive. `open`: all of it. `partly`: some members could not be taken, or a limit was reached.
 * `locked`: no known password opens it. `refused`: nothing of it can be read. All but `open` are stored as they are,
 * too.
 */
export const addedArchive = z.object({
  state: z.enum(['open', 'partly', 'locked', 'refused']),
  members: count,
  remarks: z.array(archiveRemark),
  failure: failureSchema.nullable(),
});
export type AddedArchive = z.infer<typeof addedArchive>;

/** A file that was added to the vault, or a member of one. */
export const addedFile = z.object({
  /** Its place in the list: members are below their archive. */
  rank: z.string(),
  /** Untrusted text. */
  name: z.string(),
  /**
   * The folders and archives it was in, as far as they were given; "" where there is none. An archive ends with "!".
   */
  path: z.string(),
  sizeBytes: count,
  md5: md5.nullable(),
  sha1: sha1.nullable(),
  sha256: sha256.nullable(),
  /** By its content; null while it is not known, or of no known type. */
  mime: z.string().nullable(),
  state: addedState,
  failure: failureSchema.nullable(),
  /** null for a file that was not opened as an archive. */
  archive: addedArchive.nullable(),
  /** What is unusual about a member. */
  remarks: z.array(archiveRemark),
});
export type AddedFile = z.infer<typeof addedFile>;

/** How many files of a job, members among them, came to what. `closed`: archives that were stored as they are. */
export const addedCounts = z.object({ states: z.record(addedState, count), closed: count });
export type AddedCounts = z.infer<typeof addedCounts>;

export const givenAddition = z.object({
  id: stagedFile.shape.id,
  path: z.string().max(4096, 'a path of at most 4,096 characters'),
});

/** Where a file was, as one text. */
export const addedPlace = ({ name, path }: Pick<AddedFile, 'name' | 'path'>): string =>
  path === '' || path.endsWith('!') ? `${path}${name}` : `${path}/${name}`;

/** How deep in archives a file lies: 0 for one that was given. */
export const addedDepth = ({ rank }: Pick<AddedFile, 'rank'>): number => rank.split('.').length - 2;
