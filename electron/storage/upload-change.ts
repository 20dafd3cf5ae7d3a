import { forbidsThirdParties, type TlpLevel } from '../../shared/domain/tag.ts';
import type { UploadChange } from '../../shared/domain/upload.ts';

/** What a person may change of a file. */
export interface Changeable {
  isTicked: boolean;
  tags: readonly string[];
  tlp: TlpLevel | null;
  virusTotal: boolean;
  sandbox: boolean;
}

/**
 * What a file is after a change. A TLP that forbids third parties, its own or one by which it is shut, takes the flags
 * off, and lets none be set: `refused` counts those.
 */
export function changed<File extends Changeable>(
  file: File,
  change: UploadChange,
  isShut: boolean,
): { file: File; refused: number } {
  const tlp = change.tlp === undefined ? file.tlp : change.tlp;
  const isClosed = isShut || forbidsThirdParties(tlp);
  return {
    file: {
      ...file,
      isTicked: change.isTicked ?? file.isTicked,
      tags: changedTags(file.tags, change),
      tlp,
      virusTotal: !isClosed && (change.virusTotal ?? file.virusTotal),
      sandbox: !isClosed && (change.sandbox ?? file.sandbox),
    },
    refused: isClosed ? Number(change.virusTotal === true) + Number(change.sandbox === true) : 0,
  };
}

/** In the order in which they came; none twice. */
function changedTags(tags: readonly string[], { addTags = [], removeTags = [] }: UploadChange): readonly string[] {
  if (addTags.length === 0 && removeTags.length === 0) return tags;
  return [...new Set([...tags, ...addTags])].filter((tag) => !removeTags.includes(tag));
}
