import { LabError } from './errors.ts';
import type { StoredFile } from './metadata-store.ts';
import type { Rights } from './tokens.ts';

/** The right to download is there already; restricted bytes take one more. */
export function requireOpenTo(rights: Rights, ...files: Pick<StoredFile, 'restricted'>[]): void {
  if (rights.has('restricted')) return;
  if (files.some(({ restricted }) => restricted))
    throw new LabError('file-restricted', 'This token has no right to restricted files.');
}
