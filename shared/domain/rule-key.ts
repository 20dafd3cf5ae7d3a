/** A rule of a package: two of its files may each have one of the same name. */
export interface NamedRule {
  name: string;
  /** Its path inside the package. */
  file: string;
}

/**
 * How mutes, hits, histories, exports and the command line name a rule. The first rule of a name, by path and line, keeps its
 * bare name: most packages have no other, and keys that were stored before files were namespaces stay what they are. Another
 * one is `path/of/file.yar:name`, as `yara -e` prints the namespace of a rule.
 */
export const keyOf = ({ name, file }: NamedRule, isFirst: boolean): string => (isFirst ? name : `${file}:${name}`);

/** A name has no colon, so the last colon divides. */
export const nameOfKey = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
