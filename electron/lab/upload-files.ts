import { currentInstant } from '../../shared/domain/clock.ts';
import type { Hashes } from '../../shared/domain/hash.ts';
import { type Action, type ActionCall, atMost, sendJson } from './action.ts';
import { LabError } from './errors.ts';
import { FormFields, type FormLimits, readFlag, readTags, readText } from './form-fields.ts';
import { type FormPart, multipartBoundary, readParts } from './multipart.ts';
import { type BlobReceiver, type BlobStore, sealAll, type SealedBlob, type Stores } from './stores/blob-store.ts';
import type { AddOutcome, NewSample } from './stores/metadata-store.ts';

/** How a file fared, as the reply lists it. */
type UploadItem = (Hashes & { filename: string; size: number }) | { md5: string; filename: string; error: string };

/** A file that is not there yet, and what was said of it. */
interface NewFile extends FileWishes {
  file: ArrivedFile;
  /** Its place in the form. */
  index: number;
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
export function uploadFiles(stores: Stores, limits: FormLimits): Action {
  const answerOne = async (call: ActionCall): Promise<void> =>
    sendJson(call.response, 200, { files: await takeUpload(stores, limits, call) });
  const answer = atMost(uploadsAtOnce, `The lab takes ${uploadsAtOnce} uploads at a time.`, answerOne);
  return { method: 'POST', right: 'upload', answer };
}

async function takeUpload(
  stores: Stores,
  limits: FormLimits,
  { request, body, caller, recordChange, recheck }: ActionCall,
): Promise<UploadItem[]> {
  const boundary = multipartBoundary(request);
  const form = new UploadForm(stores.blobs, limits);
  try {
    await form.read(readParts(body(limits.requestBytes), boundary));
    if (form.files.length === 0) throw new LabError('missing-parameter', 'This form has no file.');
    const wishes = readWishes(form.fields, form.files);
    const comment = form.fields.one('comment') ?? '';
    await recheck();
    const items = await commit(stores, form.files, wishes, { author: caller.name, comment });
    await recordChange(items.flatMap((item) => ('sha256' in item ? [item.sha256] : [])));
    return items;
  } finally {
    await form.discard();
  }
}

/**
 * Of files sent by several at once, the first is added; the others are answered that it is there. What was there before
 * is found by adding, too: to ask first would be one more query for each upload.
 */
async function commit(
  { metadata, blobs }: Stores,
  files: readonly ArrivedFile[],
  wishes: readonly FileWishes[],
  by: { author: string; comment: string },
): Promise<UploadItem[]> {
  const errorOf = files.map(({ sizeBytes }): string | null => (sizeBytes === 0 ? errors.empty : null));
  const uploaded = currentInstant();
  const added = files.flatMap((file, index): NewFile[] =>
    errorOf[index] === null ? [{ file, index, ...(wishes[index] ?? noWishes) }] : [],
  );
  const outcomes = await blobs.commit(
    added.map(({ file }) => file.receiver),
    () => metadata.addSamples(added.map((file) => newSample(file, by, uploaded))),
  );
  for (const [at, { index }] of added.entries()) errorOf[index] = errorOfOutcome(outcomes[at]);
  return files.map((file, index) => itemOf(file, errorOf[index] ?? null));
}

const noWishes: FileWishes = { tags: [], virusTotal: false, sandbox: false };

function errorOfOutcome(outcome: AddOutcome | undefined): string | null {
  if (outcome === 'already-here') return errors.known;
  return outcome === 'md5-taken' ? errors.md5Taken : null;
}

function newSample(
  { file: { name, hashes, sizeBytes, place }, tags, virusTotal, sandbox }: NewFile,
  { author, comment }: { author: string; comment: string },
  uploaded: string,
): NewSample {
  return {
    sample: {
      hashes,
      sizeBytes,
      place,
      name,
      mime: null,
      threat: null,
      criticity: 3,
      tags,
      uploader: author,
      uploaded,
      restricted: false,
      virusTotal,
      sandbox,
    },
    comments: comment.trim() === '' ? [] : [{ author, content: comment, created: uploaded, replies: [] }],
  };
}

function itemOf({ name, hashes, sizeBytes }: ArrivedFile, error: string | null): UploadItem {
  if (error !== null) return { md5: hashes.md5, filename: name, error };
  return { ...hashes, filename: name, size: sizeBytes };
}

const longestName = 1024;

/** A file of an upload: durable, and not visible to clients. */
interface ArrivedFile extends SealedBlob {
  name: string;
  receiver: BlobReceiver;
}

/** The content of an upload while it arrives. Its reader also discards it: what was not kept by then is removed. */
class UploadForm {
  readonly files: ArrivedFile[] = [];
  readonly fields = new FormFields();
  readonly #blobs: BlobStore;
  readonly #limits: FormLimits;
  #fieldCount = 0;

  constructor(blobs: BlobStore, limits: FormLimits) {
    this.#blobs = blobs;
    this.#limits = limits;
  }

  /** @throws LabError for what is over a limit or cannot be read */
  async read(parts: AsyncIterable<FormPart>): Promise<void> {
    for await (const part of parts) {
      if (part.fileName === null) await this.#readField(part);
      else await this.#readFile(part.fileName, part.bytes());
    }
  }

  async discard(): Promise<void> {
    await Promise.all(this.files.map(({ receiver }) => receiver.abort()));
  }

  async #readField({ name, bytes }: FormPart): Promise<void> {
    this.#fieldCount += 1;
    if (this.#fieldCount > this.#limits.fields)
      throw new LabError('bad-parameter', `A request has at most ${this.#limits.fields} fields.`);
    this.fields.add(name, await readText(name, bytes(), this.#limits.fieldBytes));
  }

  async #readFile(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    if (name.length > longestName)
      throw new LabError('bad-parameter', `A file name has at most ${longestName} characters.`);
    if (this.files.length === this.#limits.files)
      throw new LabError('bad-parameter', `A request has at most ${this.#limits.files} files.`);
    const receiver = this.#blobs.receive();
    const blob = await sealAll(receiver, fieldLimit(bytes, this.#limits.fileBytes));
    this.files.push({ name, receiver, ...blob });
    if (name === '' && blob.sizeBytes === 0) await this.#forgetLast();
  }

  /**
   * A page sends a file field in which no file was chosen as an empty file without a name (HTML Standard, "Constructing
   * the entry list").
   */
  async #forgetLast(): Promise<void> {
    await this.files.pop()?.receiver.abort();
  }
}

async function* fieldLimit(
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Uint8Array, void, void> {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) throw new LabError('body-too-large', `A file is over ${mostBytes} bytes.`);
    yield chunk;
  }
}

/** What the sender wants of one file. */
interface FileWishes {
  tags: string[];
  virusTotal: boolean;
  sandbox: boolean;
}

/**
 * Reads the fields of an upload for its files, in their order (docs/services.md, "uploadfiles"). Fields it does not
 * know stay unread: senders repeat themselves in the form of older servers.
 * @throws LabError `bad-parameter`, `repeated-parameter`
 */
function readWishes(fields: FormFields, files: readonly { hashes: Hashes }[]): FileWishes[] {
  requireHash(fields.one('hash') ?? '', files);
  const count = files.length;
  const tags = perFile(fields, 'tags[]', count).map((text) =>
    readTags(text, (words) => new LabError('bad-parameter', words)),
  );
  const virusTotal = perFile(fields, 'vtsubmit[]', count).map((text) => readFlag(text, 'vtsubmit[]'));
  const sandbox = perFile(fields, 'cksubmit[]', count).map((text) => readFlag(text, 'cksubmit[]'));
  return files.map((_file, index) => ({
    tags: tags[index] ?? [],
    virusTotal: virusTotal[index] ?? false,
    sandbox: sandbox[index] ?? false,
  }));
}

/** One entry a file, or none at all. */
function perFile(fields: FormFields, name: string, count: number): readonly string[] {
  const values = fields.all(name);
  if (values.length !== 0 && values.length !== count) {
    throw new LabError(
      'bad-parameter',
      `There are ${values.length} entries "${name}" for ${count} files: send one for each, in order.`,
    );
  }
  return values;
}

function requireHash(hash: string, files: readonly { hashes: Hashes }[]): void {
  if (hash === '') return;
  const [file, ...more] = files;
  if (file === undefined || more.length > 0)
    throw new LabError('bad-parameter', 'The field "hash" needs exactly one file.');
  if (hash.toLowerCase() !== file.hashes.md5)
    throw new LabError('bad-parameter', 'The field "hash" is not the MD5 of the received file.');
}
