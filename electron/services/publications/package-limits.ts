import { archiveLimits, type ArchiveLimits } from '../../../shared/domain/archive-limits.ts';
import { packageLimits } from '../../rules/package-limits.ts';

/** Of a package as it is received: what cannot be opened is kept too. */
export const packageBytesAtMost = 512 * 2 ** 20;
/** Of its rules, unpacked; they are held in memory. */
export const ruleBytesAtMost = packageLimits.bytes;

export const packageArchiveLimits: ArchiveLimits = { ...archiveLimits, memberBytes: ruleBytesAtMost, totalBytes: packageBytesAtMost };
