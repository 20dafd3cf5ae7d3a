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

/** A call that hands over files of rules has at most so many, and so many characters of their paths in all. */
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
