/** What files of rules are called, in any case of letters. */
const ruleFile = /\.(?:yara?|yarax?|rules?)$/i;

export const isRuleFileName = (name: string): boolean => ruleFile.test(name);

/** A ZIP beside files of rules is a part of the package. */
export const isArchiveName = (name: string): boolean => /\.zip$/i.test(name);

/** A path in a package as includes name it: slashes between folders, without `./`. Archives made on Windows have backslashes, those of bsdtar begin with `./`. */
export function packagePath(name: string): string {
  if (!/\\|(?:^|\/)\.?(?:\/|$)/.test(name)) return name;
  return name.split(/[/\\]/).filter((part) => part !== '' && part !== '.').join('/');
}
