/**
 * A file of rules inside a package. `path` has `/` between its parts; it names the file and is never a path on a disk.
 */
export interface RuleFile {
  path: string;
  bytes: Uint8Array;
}
