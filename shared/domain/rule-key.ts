/** A rule of a package: two of its files may each have one of the same name. */
export interface NamedRule {
  name: string;
  /** Its path inside the package. */
  file: string;
}

/** In UTF-16 units; with a name they are no more than a key may have anywhere, which is 1,000. */
const longestPath = 700;
const pathIn = (file: string): string => (file.length > longestPath ? `…${file.slice(1 - longestPath)}` : file);

/**
 * How mutes, hits, histories, exports and the command line name a rule. The first rule of a name, by path and line,
 * keeps its bare name: most packages have no other, and keys that were stored before files were namespaces stay what
 * they are. Another one is `path/of/file.yar:name`, as `yara -e` prints the namespace of a rule; of a very long path
 * its end is there.
 */
export const keyOf = ({ name, file }: NamedRule, isFirst: boolean): string =>
  isFirst ? name : `${pathIn(file)}:${name}`;

/** A name has no colon, so the last colon divides. */
export const nameOfKey = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
