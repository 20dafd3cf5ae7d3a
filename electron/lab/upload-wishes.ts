import type { Hashes } from '../../shared/domain/hash.ts';
import { LabError } from './errors.ts';
import type { FormFields } from './form-fields.ts';
import { readFlag } from './read-flag.ts';

/** What the sender wants of one file. */
export interface FileWishes {
  tags: string[];
  virusTotal: boolean;
  sandbox: boolean;
}

const mostTags = 500;

/**
 * Reads the fields of an upload for its files, in their order (docs/services.md, "uploadfiles"). Fields it does not
 * know stay unread: senders repeat themselves in the form of older servers.
 * @throws LabError `bad-parameter`, `repeated-parameter`
 */
export function readWishes(fields: FormFields, files: readonly { hashes: Hashes }[]): FileWishes[] {
  requireHash(fields.one('hash') ?? '', files);
  const count = files.length;
  const tags = perFile(fields, 'tags[]', count).map(readTags);
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

function readTags(text: string): string[] {
  const tags = new Set(text.split(',').map((tag) => tag.trim().toLowerCase()));
  tags.delete('');
  if (tags.size > mostTags) throw new LabError('bad-parameter', `A file has at most ${mostTags} tags.`);
  return [...tags];
}
