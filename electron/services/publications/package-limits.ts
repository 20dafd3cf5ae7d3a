import { archiveLimits, type ArchiveLimits } from '../../../shared/domain/opened-archive.ts';
import { packageLimits } from '../../rules/package-limits.ts';

/** Of a package as it is received: what cannot be opened is kept too. */
export const packageBytesAtMost = 512 * 2 ** 20;
/** Of its rules, unpacked; they are held in memory. */
export const ruleBytesAtMost = packageLimits.bytes;

/** Repositories of rules hold other files beside them. */
const membersAtMost = 60_000;

export const packageArchiveLimits: ArchiveLimits = {
  ...archiveLimits,
  members: membersAtMost,
  memberBytes: ruleBytesAtMost,
  totalBytes: packageBytesAtMost,
};
