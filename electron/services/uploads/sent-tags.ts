import { forbidsThirdParties } from '../../../shared/domain/tag.ts';
import type { StoredUploadFile } from '../../storage/upload-store.ts';

/** A file's tags as services take them: its TLP is one of them. */
export const tagsOf = ({ tags, tlp }: Pick<StoredUploadFile, 'tags' | 'tlp'>): string[] => [
  ...tags,
  ...(tlp === null ? [] : [`tlp:${tlp}`]),
];

/** Which third parties it goes to: none where its TLP forbids it, whatever was stored. */
export function flagsOf({ virusTotal, sandbox, tlp }: Pick<StoredUploadFile, 'virusTotal' | 'sandbox' | 'tlp'>): {
  virusTotal: boolean;
  sandbox: boolean;
} {
  const mayGo = !forbidsThirdParties(tlp);
  return { virusTotal: mayGo && virusTotal, sandbox: mayGo && sandbox };
}
