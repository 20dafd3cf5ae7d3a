import type { NewPackage } from '../store-package.ts';
import { entropy } from './entropy.ts';
import { families } from './families.ts';
import { formats } from './formats.ts';
import { loader } from './loader.ts';
import { office } from './office.ts';

/** Raised with every change of what is below: a lab stocked by an older release gets the packages it lacks. */
export const starterRelease = 2;

const files = [families, entropy, formats, loader, office];
const filesOf = (edition: 'release' | 'test'): NewPackage['files'] =>
  files.map((file) => ({ path: file.path, bytes: Buffer.from(file[edition]) }));

/** Oldest first. Their rules find some of the specimens. */
export const starterPackages: readonly NewPackage[] = [
  {
    version: '2026.11.10',
    group: 'Release',
    published: '2026-11-10T09:00:00.000Z',
    rules: 15,
    files: filesOf('release'),
  },
  { version: '2026.11.17', group: 'Test', published: '2026-11-17T09:00:00.000Z', rules: 16, files: filesOf('test') },
];
