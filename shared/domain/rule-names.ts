import type { z } from 'zod';
import type { metaEntry } from './publication.ts';

/** What files of rules are called, in any case of letters. */
const ruleFile = /\.(?:yara?|yarax?|rules?)$/i;

export const isRuleFileName = (name: string): boolean => ruleFile.test(name);

/** A ZIP beside files of rules is a part of the package. */
export const isArchiveName = (name: string): boolean => /\.zip$/i.test(name);

/**
 * A path in a package as includes name it: slashes between folders, without `./`. Archives made on Windows have
 * backslashes, those of bsdtar begin with `./`.
 */
export function packagePath(name: string): string {
  if (!/\\|(?:^|\/)\.?(?:\/|$)/.test(name)) return name;
  return name
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** A call that sends files of rules has at most so many, and so many characters of their paths in all. */
const mostACall = { files: 1000, characters: 200_000 };

/** The files for each call: at least one part, without files where there are none. */
export function* partsForCalls<File extends { path: string }>(files: readonly File[]): Generator<File[], void, void> {
  let part: File[] = [];
  let characters = 0;
  for (const one of files) {
    characters += one.path.length;
    if (part.length === mostACall.files || characters > mostACall.characters) {
      yield part;
      [part, characters] = [[], one.path.length];
    }
    part.push(one);
  }
  yield part;
}

/** A rule of a package: two of its files may each have one of the same name. */
interface NamedRule {
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

/** Keys under which rules name a family, the best first; written in any case, with or without `_` and `-`. */
const familyKeys = ['family', 'malwarefamily', 'malware'];
const longest = 200;

/** The family a rule is for: by its meta, else its first tag; null if it has neither. At most 200 characters. */
export function familyOf({
  tags,
  meta,
}: {
  tags: readonly string[];
  meta: readonly z.infer<typeof metaEntry>[];
}): string | null {
  const named = familyKeys.flatMap((wanted) =>
    meta.flatMap(({ key, value }) => (plain(key) === wanted ? [value] : [])),
  );
  const family = [...named, ...tags].map((text) => text.trim()).find((text) => text !== '');
  return family === undefined ? null : family.slice(0, longest).toWellFormed();
}

const plain = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');
