/**
 * Words that Vitrine had for itself and has retired, each with what to write instead: `docs/glossary.md` explains the
 * ones that are in use.
 */
export interface RetiredWord {
  /** Matches within prose, or for names of the code one whole word of a name, in lower case. */
  pattern: RegExp;
  /** What to write. */
  use: string;
}

export const retiredWords: readonly RetiredWord[] = [
  // The program's places and parts
  { pattern: /\bdesks?\b/i, use: '"Vitrine", "this computer", "local" or "you"' },
  { pattern: /\brooms?\b/i, use: '"view" of the page, "layer" of the code' },
  { pattern: /\brail\b/i, use: '"sidebar"' },
  { pattern: /\bspecimens?\b/i, use: '"sample files"' },
  { pattern: /\binert\b/i, use: '"stored encrypted"' },
  { pattern: /\bcriticity\b/i, use: '"severity"' },
  { pattern: /\bdoors?\b/i, use: '"client"' },
  { pattern: /\blanes?\b/i, use: '"scan workers"' },
  { pattern: /\bledgers?\b/i, use: '"recorder"' },
  { pattern: /\bstrikes?\b/i, use: '"failed attempt"' },
  { pattern: /\bsoup\b/i, use: '"hash extraction"' },

  // Actions: one verb for each
  { pattern: /\bhand(?:s|ed|ing)? over\b/i, use: '"export" or "send"' },
  { pattern: /\bask(?:s|ed|ing)? again\b/i, use: '"refresh" or "fetch"' },
  { pattern: /\bnot now\b/i, use: '"Cancel"' },
  { pattern: /\bkeep it\b/i, use: '"Cancel"' },
  { pattern: /\bput(?:s|ting)? (?:it )?away\b/i, use: '"dismiss"' },
  { pattern: /\b(?:go|goes|going|gone|went) on\b/i, use: '"continue" or "resume"' },
  { pattern: /\btaken back\b/i, use: '"unmuted", "undone" or "withdrawn"' },

  // States
  { pattern: /\bas last seen\b/i, use: '"last scan"' },
  { pattern: /\bby (?:its|their) conditions?\b/i, use: '"condition only"' },
  { pattern: /\bclean\b(?!(?:s|ed|ing)? up\b|-up\b)/i, use: '"no hits (N rules)"' },
  { pattern: /\bha(?:s|ve) an outcome\b/i, use: '"done"' },
  { pattern: /\bwhat becomes of\b/i, use: '"status"' },
  { pattern: /\bnot interpreted\b/i, use: '"raw"' },
  { pattern: /\bat hand\b/i, use: '"available"' },
  { pattern: /\bnobody\b/i, use: '"not set", "unused" or "no one"' },
  { pattern: /\bsomebody\b/i, use: '"someone"' },
  { pattern: /\bwhoever\b/i, use: 'a noun: "the person", "the process"' },
  { pattern: /\banew\b/i, use: '"again"' },
  { pattern: /\bgravest\b/i, use: '"first of" and the list' },
  {
    pattern: /\b(?:not|no[nt]?e?) any ?more\b|\b(?:is|are|was|were|does|do|can) not [a-z]+ any more\b/i,
    use: '"no longer"',
  },
  { pattern: /\btold\b/i, use: '"reported" or "shown"' },
  { pattern: /\btells?\b/i, use: '"reports" or "shows"' },
  { pattern: /\bsays\b/i, use: '"reports", "shows" or the thing itself' },
  { pattern: /\bstands?\b(?!-)|\bstood\b/i, use: '"is"' },
  { pattern: /\b(?:is|are|was|were|be|been) met\b/i, use: '"is found" or "happens"' },
  { pattern: /\bwhat takes how much\b/i, use: '"Disk usage"' },
  { pattern: /\blooks? at (?:them|it|files|samples)\b|\blooks?(?=[.,;:]|$)/i, use: '"scan" or "preview"' },
];

/**
 * Words for names of the code: variables, types, members. A name is read word by word: `openDesk` has two. `criticity`
 * stays a name: a field of the services and of stored records.
 */
export const retiredNames: readonly RetiredWord[] = [
  { pattern: /desks?/, use: '"host", "vitrine", "installation" or "local"' },
  { pattern: /rooms?/, use: '"view", "layer" or "space"' },
  { pattern: /rail/, use: '"sidebar"' },
  { pattern: /specimens?/, use: '"sampleFile"' },
  { pattern: /inert/, use: '"storedEncrypted"' },
  { pattern: /doors?/, use: '"client"' },
  { pattern: /lanes?/, use: '"scanWorker" or "track"' },
  { pattern: /ledgers?/, use: '"recorder"' },
  { pattern: /strikes?/, use: '"failedAttempt"' },
  { pattern: /soup/, use: '"hashExtraction"' },
  { pattern: /told|tells?|tellers?/, use: '"reported", "report", "notifier"' },
  { pattern: /says?/, use: '"print", "states" or the thing itself' },
  { pattern: /stood|stands/, use: '"is" or the state' },
  { pattern: /nobodys?|somebody|whoever/, use: '"noOne", "unused", "someone" or a noun' },
  { pattern: /anew/, use: '"again"' },
  { pattern: /gravest/, use: '"mostSevere"' },
  { pattern: /breathe/, use: '"yield" or "backoff"' },
];

/** Prose and names that may have a retired word, and why. */
export interface WordException {
  /** The file, from the project's top. */
  path: string;
  /** What the sentence, or in a document the paragraph, has to match. */
  containing: RegExp;
  why: string;
}

const aBackupsField = 'the name of a field in the description file of a backup';
const anEarlierCommand = 'the earlier name of a command, which still works';
const knownBytes = 'bytes of a sample file, which is known by its hashes';

export const wordExceptions: readonly WordException[] = [
  { path: 'electron/storage/backup/backup-folder.ts', containing: /^desk$/, why: aBackupsField },
  { path: 'electron/storage/backup/backup-making.ts', containing: /^desk$/, why: aBackupsField },
  { path: 'electron/storage/backup/backup-making.test.ts', containing: /^desk$/, why: aBackupsField },
  { path: 'electron/cli/sentences.test.ts', containing: /lab specimens/, why: anEarlierCommand },
  { path: 'electron/cli/commands/lab.ts', containing: /specimens/, why: anEarlierCommand },
  {
    path: 'electron/storage/backup/backup-store.ts',
    containing: /backup desk id/,
    why: 'is hashed: other words, another id',
  },
  { path: 'electron/lab/sample-file-bytes.ts', containing: /specimen/i, why: knownBytes },
  { path: 'electron/lab/sample-files.ts', containing: /Vitrine specimen/, why: knownBytes },
  {
    path: 'electron/lab/starter-rules/starter-packages.ts',
    containing: /VITRINE SPECIMEN/,
    why: 'a rule for these bytes',
  },
  { path: 'electron/lab/starter-rules/starter-packages.ts', containing: /\$says =/, why: 'a rule for these bytes' },
  { path: 'docs/services.md', containing: /criticity/, why: 'the name of a field on the wire' },
];
