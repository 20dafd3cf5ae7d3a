/**
 * Variables that a scan sets for each file, as rules expect them by convention. All are texts; `filesize` is the
 * engine's own. They are defined for every package, or rules that ask for them would not compile. Without a schema
 * beside them, which a lane of a scan would have to load.
 */
export const conventionalVariables = ['filename', 'extension', 'filepath', 'filetype', 'owner'] as const;
export type ConventionalVariable = (typeof conventionalVariables)[number];
export const isConventionalVariable = (name: string): name is ConventionalVariable =>
  conventionalVariables.some((one) => one === name);
