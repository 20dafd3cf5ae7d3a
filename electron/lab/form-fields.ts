import { LabError } from './errors.ts';
import { longestStoredTag } from './stores/metadata-store.ts';

/** The texts of a form. */
export class FormFields {
  readonly #values = new Map<string, string[]>();

  add(name: string, value: string): void {
    const values = this.#values.get(name);
    if (values === undefined) this.#values.set(name, [value]);
    else values.push(value);
  }

  /** Null when it is not there. Twice is refused, as in an address. */
  one(name: string): string | null {
    const values = this.all(name);
    if (values.length > 1) throw new LabError('repeated-parameter', `The field "${name}" is given more than once.`);
    return values[0] ?? null;
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}

/** The text of a field, in UTF-8. */
export async function readText(name: string, bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) throw textTooLong(name, mostBytes);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw Object.assign(new LabError('bad-parameter', `The field ${shown(name)} is not UTF-8.`), { cause });
  }
}

export const textTooLong = (name: string, mostBytes: number): LabError =>
  new LabError('body-too-large', `The field ${shown(name)} is over ${mostBytes} bytes.`);

/** A name from a request, in a message. */
const shown = (name: string): string => JSON.stringify(name.slice(0, 100));

/** What one request with a form may bring. */
export interface FormLimits {
  files: number;
  fields: number;
  fileBytes: number;
  /** The whole body, with its heads and boundaries. */
  requestBytes: number;
  /** One text: a field, or a comment. */
  fieldBytes: number;
}

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

export const usualFormLimits: FormLimits = {
  files: 100,
  fields: 1000,
  fileBytes: 16 * gibibyte,
  requestBytes: 32 * gibibyte,
  fieldBytes: mebibyte,
};

const truth: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/** @throws LabError `bad-parameter` */
export function readFlag(text: string, name: string): boolean {
  const value = Object.hasOwn(truth, text) ? truth[text] : undefined;
  if (value === undefined) throw new LabError('bad-parameter', `"${name}" is "true" or "false".`);
  return value;
}

const mostTags = 500;

/** Tags between commas: in lower case, each once. Throws what `refuse` makes of a sentence. */
export function readTags(text: string, refuse: (words: string) => Error): string[] {
  const tags = new Set(text.split(',').map((tag) => tag.trim().toLowerCase()));
  tags.delete('');
  if (tags.size > mostTags) throw refuse(`A file has at most ${mostTags} tags.`);
  if ([...tags].some((tag) => tag.length > longestStoredTag))
    throw refuse(`A tag has at most ${longestStoredTag} characters.`);
  return [...tags];
}
