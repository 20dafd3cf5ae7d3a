import { currentInstant } from '../../shared/domain/clock.ts';
import type { Hashes } from '../../shared/domain/hash.ts';
import { Mutex } from '../../shared/mutex.ts';
import type { Action, ActionCall } from './action.ts';
import { atMost } from './at-most.ts';
import { LabError } from './errors.ts';
import type { FormLimits } from './form-limits.ts';
import { multipartBoundary } from './form-type.ts';
import type { NewComment, StoredFile, StoredSample } from './metadata-store.ts';
import { readParts } from './multipart.ts';
import type { RepositoryStores } from './repository-service.ts';
import { sendJson } from './send-json.ts';
import { type ArrivedFile, UploadForm } from './upload-form.ts';
import { type FileWishes, readWishes } from './upload-wishes.ts';

/** How a file fared, as the reply lists it. */
type UploadItem = (Hashes & { filename: string; size: number }) | { md5: string; filename: string; error: string };

/** A file that is not there yet, and what was said of it. */
interface NewFile extends FileWishes {
  file: ArrivedFile;
}

/** Each holds a few MiB for the threads at work on it. */
const uploadsAtOnce = 16;
const errors = {
  empty: 'File is too small',
  known: 'File is already uploaded',
  md5Taken: 'Another file has this MD5',
} as const;

/**
 * A form with files → `{"files": [{md5, sha1, sha256, filename, size} | {md5, filename, error}]}` in their order. Bytes
 * are written while they come; nothing is visible before the whole form was read and accepted, and then all of it at
 * once.
 */
export function uploadFiles(stores: RepositoryStores, limits: FormLimits): Action {
  const commits = new Mutex();
  const answerOne = async (call: ActionCall): Promise<void> =>
    sendJson(call.response, 200, { files: await takeUpload(stores, limits, commits, call) });
  const answer = atMost(uploadsAtOnce, `The lab takes ${uploadsAtOnce} uploads at a time.`, answerOne);
  return { method: 'POST', right: 'upload', answer };
}

async function takeUpload(
  stores: RepositoryStores,
  limits: FormLimits,
  commits: Mutex,
  { request, body, caller }: ActionCall,
): Promise<UploadItem[]> {
  const boundary = multipartBoundary(request);
  const form = new UploadForm(stores.blobs, limits);
  try {
    await form.read(readParts(body(limits.requestBytes), boundary));
    if (form.files.length === 0) throw new LabError('missing-parameter', 'This form has no file.');
    const wishes = readWishes(form.fields, form.files);
    const comment = form.fields.one('comment') ?? '';
    return await commits.run(() => commit(stores, form.files, wishes, { author: caller.name, comment }));
  } finally {
    await form.discard();
  }
}

/** One at a time: what is found unknown here is unknown until it is added. */
async function commit(
  { metadata }: RepositoryStores,
  files: readonly ArrivedFile[],
  wishes: readonly FileWishes[],
  by: { author: string; comment: string },
): Promise<UploadItem[]> {
  const known = await metadata.filesByMd5(files.map(({ hashes }) => hashes.md5));
  const verdicts = files.map((file, index) => errorOf(file, known[index] ?? null, files.slice(0, index)));
  const added = files.flatMap((file, index) =>
    verdicts[index] === null ? [{ file, ...(wishes[index] ?? noWishes) }] : [],
  );
  for (const { file } of added) await file.receiver.keep();
  const uploaded = currentInstant();
  await metadata.addSamples(
    added.map((file) => ({ sample: newSample(file, by.author, uploaded), comments: rootComment(by, uploaded) })),
  );
  return files.map((file, index) => itemOf(file, verdicts[index] ?? null));
}

const noWishes: FileWishes = { tags: [], virusTotal: false, sandbox: false };

/** Null for a file that is new here and in its request. */
function errorOf(
  { hashes, sizeBytes }: ArrivedFile,
  known: StoredFile | null,
  before: readonly ArrivedFile[],
): string | null {
  if (sizeBytes === 0) return errors.empty;
  const other = known ?? before.find((earlier) => earlier.hashes.md5 === hashes.md5)?.hashes;
  if (other === undefined) return null;
  return other.sha256 === hashes.sha256 ? errors.known : errors.md5Taken;
}

function newSample(
  { file: { name, hashes, sizeBytes }, tags, virusTotal, sandbox }: NewFile,
  uploader: string,
  uploaded: string,
): StoredSample {
  return {
    hashes,
    sizeBytes,
    name,
    mime: null,
    threat: null,
    criticity: 3,
    tags,
    uploader,
    uploaded,
    restricted: false,
    virusTotal,
    sandbox,
  };
}

function rootComment({ author, comment }: { author: string; comment: string }, created: string): NewComment[] {
  return comment.trim() === '' ? [] : [{ author, content: comment, created, replies: [] }];
}

function itemOf({ name, hashes, sizeBytes }: ArrivedFile, error: string | null): UploadItem {
  if (error !== null) return { md5: hashes.md5, filename: name, error };
  return { ...hashes, filename: name, size: sizeBytes };
}
