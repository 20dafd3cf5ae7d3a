import type { BlobReceiver, BlobStore, SealedBlob } from './blob-store.ts';
import { LabError } from './errors.ts';
import { FormFields, readText } from './form-fields.ts';
import type { FormLimits } from './form-limits.ts';
import { sealAll } from './intake.ts';
import type { FormPart } from './multipart.ts';

const longestName = 1024;

/** A file of an upload: durable, and visible to nobody. */
export interface ArrivedFile extends SealedBlob {
  name: string;
  receiver: BlobReceiver;
}

/** What an upload brings, while it comes. Whoever reads it also discards it: what was not kept by then is removed. */
export class UploadForm {
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
    const blob = await sealAll(receiver, atMost(bytes, this.#limits.fileBytes));
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

async function* atMost(bytes: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array, void, void> {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) throw new LabError('body-too-large', `A file is over ${mostBytes} bytes.`);
    yield chunk;
  }
}
