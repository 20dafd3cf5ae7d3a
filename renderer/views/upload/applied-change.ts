import { assertNever } from '../../../shared/assert-never.ts';
import { forbidsThirdParties } from '../../../shared/domain/tag.ts';
import type { UploadChange, UploadFile, UploadTarget } from '../../../shared/domain/upload.ts';

export function isMeant(
  target: UploadTarget,
  { id, isTicked, presence }: Pick<UploadFile, 'id' | 'isTicked' | 'presence'>,
): boolean {
  switch (target.kind) {
    case 'files':
      return target.ids.includes(id);
    case 'all':
      return target.upTo === undefined || id <= target.upTo;
    case 'ticked':
      return isTicked;
    case 'not-held':
      return isTicked || presence !== 'held';
    default:
      return assertNever(target);
  }
}

/**
 * A file as the host will have it after the change: a TLP that forbids third parties takes the flags off and refuses
 * them.
 */
export function changedFile(file: UploadFile, change: UploadChange): UploadFile {
  const tlp = change.tlp === undefined ? file.tlp : change.tlp;
  const isOpen = !forbidsThirdParties(tlp);
  const removed = new Set(change.removeTags);
  return {
    ...file,
    tlp,
    isTicked: change.isTicked ?? file.isTicked,
    tags: [...new Set([...file.tags, ...(change.addTags ?? [])])].filter((tag) => !removed.has(tag)),
    virusTotal: isOpen && (change.virusTotal ?? file.virusTotal),
    sandbox: isOpen && (change.sandbox ?? file.sandbox),
  };
}

/** Whether two copies of one file are the same in what changes are made of. */
export function isChangedAlike(one: UploadFile, other: UploadFile): boolean {
  return (
    one.tlp === other.tlp &&
    one.isTicked === other.isTicked &&
    one.virusTotal === other.virusTotal &&
    one.sandbox === other.sandbox &&
    one.tags.join('\n') === other.tags.join('\n')
  );
}
