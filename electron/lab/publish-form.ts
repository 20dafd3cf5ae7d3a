import type { z } from 'zod';
import { labPublication } from '../../shared/domain/lab.ts';
import { RuleCollection } from '../rules/rule-collection.ts';
import type { RuleFile } from '../rules/rule-file.ts';
import type { ActionCall } from './action.ts';
import { LabError } from './errors.ts';
import { FormFields, readText } from './form-fields.ts';
import { multipartBoundary } from './form-type.ts';
import { gathered } from './gathered.ts';
import { type FormPart, readParts } from './multipart.ts';
import { refusedPath } from './package-path.ts';
import type { PackageDraft } from './publisher.ts';

const mebibyte = 1024 ** 2;
/** What a package that is published may have; `bytes` of all files together, which are held in memory. */
export const packageLimits = { files: 1_000, bytes: 16 * mebibyte } as const;
/** Besides the files: their heads and boundaries, and the fields. */
const besidesBytes = 8 * mebibyte;
const mostFields = 50;
const fieldBytes = 4 * 1024;

/** @throws LabError for what is over a limit, cannot be read, or is no package */
export async function readPublishForm({ request, body }: Pick<ActionCall, 'request' | 'body'>): Promise<PackageDraft> {
  const boundary = multipartBoundary(request);
  const form = new PublishForm();
  for await (const part of readParts(body(packageLimits.bytes + besidesBytes), boundary)) await form.take(part);
  const draft = form.draft();
  return { ...draft, files: await readable(draft.files) };
}

/** As Vitrine reads them: UTF-16 with a mark, and only carriage returns at the ends of lines. */
async function readable(files: readonly RuleFile[]): Promise<readonly RuleFile[]> {
  const collection = new RuleCollection();
  for (const { path, bytes } of files) await collection.add(path, bytes);
  const {
    files: read,
    unread: [first],
  } = collection.collected();
  if (first !== undefined) throw new LabError('bad-parameter', `${JSON.stringify(first.file)}: ${first.text}.`);
  return read;
}

class PublishForm {
  readonly #fields = new FormFields();
  readonly #files = new Map<string, RuleFile>();
  #fieldCount = 0;
  #leftBytes: number = packageLimits.bytes;

  async take({ name, fileName, bytes }: FormPart): Promise<void> {
    if (fileName !== null) return this.#takeFile(fileName, bytes());
    this.#fieldCount += 1;
    if (this.#fieldCount > mostFields)
      throw new LabError('bad-parameter', `A package comes with at most ${mostFields} fields.`);
    this.#fields.add(name, await readText(name, bytes(), fieldBytes));
  }

  draft(): PackageDraft {
    if (this.#files.size === 0) throw new LabError('missing-parameter', 'This form has no file.');
    const { version, group } = labPublication.shape;
    return {
      version: readField(this.#fields, 'version', version),
      group: readField(this.#fields, 'group', group),
      files: [...this.#files.values()],
    };
  }

  async #takeFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const bytes = await gathered(chunks, this.#leftBytes);
    if (bytes === null)
      throw new LabError(
        'body-too-large',
        `The files of a package have at most ${packageLimits.bytes} bytes together.`,
      );
    this.#leftBytes -= bytes.length;
    // A page's file field in which no file was chosen.
    if (path === '' && bytes.length === 0) return;
    const refusal = refusedPath(path);
    if (refusal !== null) throw new LabError('bad-parameter', refusal);
    if (this.#files.has(path)) throw new LabError('bad-parameter', `${JSON.stringify(path)} is there twice.`);
    if (this.#files.size === packageLimits.files)
      throw new LabError('bad-parameter', `A package has at most ${packageLimits.files} files.`);
    this.#files.set(path, { path, bytes });
  }
}

function readField<T>(fields: FormFields, name: string, schema: z.ZodType<T>): T {
  const text = fields.one(name);
  if (text === null) throw new LabError('missing-parameter', `The field "${name}" is missing.`);
  const read = schema.safeParse(text);
  if (!read.success)
    throw new LabError(
      'bad-parameter',
      `The field "${name}" is not what it should be: ${read.error.issues[0]?.message ?? ''}.`,
    );
  return read.data;
}
