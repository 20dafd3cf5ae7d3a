import { hashKindOf } from '../../../shared/domain/hash.ts';
import { manifestNames } from './export-manifest.ts';

/** Anything else would be a defect: a service's name for a sample never reaches a disk. */
export function requireSafeName(name: string): void {
  const isHash = hashKindOf(name) !== null && name === name.toLowerCase();
  if (!isHash && !manifestNames.includes(name)) throw new TypeError('an exported file is named by its hash');
}
