import type { Hashes } from '../../../shared/domain/hash.ts';
import type { UploadChange, UploadFile, UploadTarget } from '../../../shared/domain/upload.ts';
import type { NewItem } from '../../jobs/job-store.ts';
import type { NewUploadFile, OpenedArchive, UploadStore } from '../uploads/upload-store.ts';

const hex = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** Hashes of bytes that are identified by a number. */
export const hashesOf = (bytes: number): Hashes => ({
  md5: hex(bytes, 32),
  sha1: hex(bytes, 40),
  sha256: hex(bytes, 64),
});
export const stagedIdOf = (number: number): string => hex(number, 32);

export const newFile = (number: number, facts: Partial<NewUploadFile> = {}): NewUploadFile => ({
  parentId: null,
  name: `file-${number}`,
  path: '',
  stagedId: stagedIdOf(number),
  place: { kind: 'container' },
  sizeBytes: 10 * number,
  ...facts,
});

/** The same as the trait of that name in SQL. */
export const isSendable = ({ isTicked, state, presence }: UploadFile): boolean =>
  isTicked && state === 'ready' && presence !== 'there';

/** Ready, looked at, and no archive. @returns its id */
export function addReady(
  uploads: UploadStore,
  bytes: number,
  facts: Partial<NewUploadFile> = {},
  workspaceId = 'lab',
): number {
  const [id = 0] = uploads.add(workspaceId, [newFile(bytes, { hashes: hashesOf(bytes), ...facts })]);
  uploads.looked([{ id, mime: null, strip: null, isZip: false }]);
  return id;
}

export const openedAs = (
  state: OpenedArchive['state'],
  members: number,
  facts: Partial<OpenedArchive> = {},
): OpenedArchive => ({ state, members, failure: null, nameEncoding: null, remarks: [], ...facts });

/** A ZIP that is being opened. @returns its id */
export function addArchive(uploads: UploadStore, bytes: number): number {
  const [id = 0] = uploads.add('lab', [newFile(bytes, { hashes: hashesOf(bytes), name: 'archive.zip' })]);
  uploads.looked([{ id, mime: 'application/zip', strip: null, isZip: true }]);
  return id;
}

export function change(
  uploads: UploadStore,
  target: UploadTarget,
  what: UploadChange,
): { changed: number; refused: number } {
  const steps = [...uploads.changeInSteps('lab', target, what)];
  return {
    changed: steps.reduce((sum, step) => sum + step.changed, 0),
    refused: steps.reduce((sum, step) => sum + step.refused, 0),
  };
}

export const remove = (uploads: UploadStore, target: UploadTarget): string[] =>
  [...uploads.removeInSteps('lab', target)].flat();
export const send = (uploads: UploadStore, jobId: number): NewItem[] => [...uploads.sendInSteps('lab', jobId)].flat();
