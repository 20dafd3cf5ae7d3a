import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { md5, sha1, sha256 } from './hash.ts';
import { tag, tlpLevel } from './tag.ts';
import { workspaceId } from './workspace.ts';

/** What a value of unknown shape from a service may be once parsed. Kept and shown, never interpreted. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Twenty thousand values of a record take a millisecond so; as a union of schemas that name each other, fifty. */
export const json: z.ZodType<Json> = z.custom<Json>(isJson);

function isJson(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (part === null || typeof part === 'string' || typeof part === 'boolean' || Number.isFinite(part)) continue;
    if (typeof part !== 'object') return false;
    const isPlain = Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype;
    if (!isPlain) return false;
    for (const inside of Object.values(part)) open.push(inside);
  }
  return true;
}

/** A comment as the service listed it. `content` may hold HTML and is shown as text. */
export const comment = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  author: z.string().nullable(),
  content: z.string(),
  /** As sent. A time without a zone is the server's local time. */
  created: z.string().nullable(),
});
export type Comment = z.infer<typeof comment>;

/** The id that the single comment of a record gets here: services number theirs. */
export const singleCommentId = 'comment';

const namedUrl = z.object({ name: z.string(), url: z.string() });

/** The worst first. 1 bad, 2 unwanted, 3 other: the repository's own scale (docs/services.md, `criticity`). */
export const severity = z.enum(['bad', 'unwanted', 'other']);
export type Severity = z.infer<typeof severity>;

/** null: none is stated. */
export const worstSeverity = (stated: readonly (Severity | null)[]): Severity | null =>
  severity.options.find((one) => stated.includes(one)) ?? null;

/** A claimed sample size: a larger one than any sample has is a mistake, or meant to break sums. */
export const claimedSize = z
  .number()
  .int()
  .nonnegative()
  .max(2 ** 50);

/**
 * A sample's record as a repository sent it: every known field optional, each already in its right type,
 * and everything that was not understood in `unknown`, under the names the service used.
 */
export const sampleRecord = z.object({
  md5: md5.nullable(),
  sha1: sha1.nullable(),
  sha256: sha256.nullable(),
  name: z.string().nullable(),
  sizeBytes: claimedSize.nullable(),
  /** `YYYY-MM-DD HH:MM:SS` in the server's local time, or ISO 8601 with a zone. */
  date: z.string().nullable(),
  uploader: z.string().nullable(),
  threat: z.string().nullable(),
  criticity: severity.nullable(),
  mime: z.string().nullable(),
  favorite: z.boolean().nullable(),
  locked: z.boolean().nullable(),
  tags: z.array(z.string()),
  urls: z.array(namedUrl),
  /** The newest ones. */
  comments: z.array(comment),
  /** How many older ones the service listed, which are not kept. */
  commentsOmitted: z.number().int().nonnegative().default(0),
  /** Whether the service lists comments: else what is in `comments` is the one text it has. */
  listsComments: z.boolean().default(false),
  virusTotal: z.object({
    state: z.enum(['found', 'unknown', 'running', 'not-checked']).nullable(),
    score: z.string().nullable(),
    link: z.string().nullable(),
  }),
  sandbox: z.object({ state: z.string().nullable(), link: z.string().nullable() }),
  ssdeep: z.string().nullable(),
  imphash: z.string().nullable(),
  pdbPath: z.string().nullable(),
  signer: z.string().nullable(),
  /**
   * The first characters of a PHP warning that the service displayed before this record, without secrets; null: none.
   */
  warning: z.string().nullable().default(null),
  unknown: z.record(z.string(), json),
});
export type SampleRecord = z.infer<typeof sampleRecord>;

const virusTotalStateWords = {
  found: 'found',
  unknown: 'not found',
  running: 'analysis running',
  'not-checked': 'not checked',
} as const;
const virusTotalCodes: Readonly<Record<string, string>> = {
  '1': virusTotalStateWords.found,
  '0': virusTotalStateWords.unknown,
  '-2': virusTotalStateWords.running,
  '-6': virusTotalStateWords['not-checked'],
};
/** Services number the states of their sandbox in another way than those of VirusTotal. */
const sandboxCodes: Readonly<Record<string, string>> = {
  '0': 'found',
  '-1': virusTotalStateWords.running,
  '-2': 'not analyzed',
};

/** A service's code in words, other codes as `code 7`; any other text is the service's own. */
function codeWords(sent: string, codes: Readonly<Record<string, string>>): string {
  const code = sent.trim();
  return codes[code] ?? (/^-?\d+$/.test(code) ? `code ${code}` : sent);
}

/** What the record reports of VirusTotal, in words; null where it reports nothing. */
export function virusTotalWords({
  virusTotal: { state },
  unknown,
}: Pick<SampleRecord, 'virusTotal' | 'unknown'>): string | null {
  if (state !== null) return virusTotalStateWords[state];
  const code = unknown['virustotal_status'];
  return typeof code === 'string' || typeof code === 'number' ? codeWords(String(code), virusTotalCodes) : null;
}

/** The same of the sandbox. */
export const sandboxWords = ({ sandbox: { state } }: Pick<SampleRecord, 'sandbox'>): string | null =>
  state === null ? null : codeWords(state, sandboxCodes);

/** Local data of a sample besides the service's record. Times are UTC, ISO 8601. */
const localSample = z.object({
  md5: md5.nullable(),
  sha1: sha1.nullable(),
  sha256: sha256.nullable(),
  sizeBytes: z.number().int().nonnegative().nullable(),
  inVault: z.boolean(),
  firstSeen: z.string(),
  lastSeen: z.string(),
  /** Local tags. */
  tags: z.array(tag),
});
export type LocalSample = z.infer<typeof localSample>;

export const lookupResult = z.object({
  /** The hash the service was asked with. */
  asked: md5,
  record: sampleRecord,
  local: localSample,
  elapsedMs: z.number().int().nonnegative(),
});
export type LookupResult = z.infer<typeof lookupResult>;

export const downloadId = z.string().regex(/^[0-9a-f]{32}$/, 'a download id');

/** The state of one download. Rates are bytes a second over the last two seconds. */
export const download = z.object({
  id: downloadId,
  workspaceId,
  md5,
  name: z.string().nullable(),
  state: z.enum(['waiting', 'receiving', 'done', 'already-here', 'failed', 'cancelled']),
  receivedBytes: z.number().int().nonnegative(),
  totalBytes: z.number().int().nonnegative().nullable(),
  bytesPerSecond: z.number().nonnegative(),
  sha1: sha1.nullable(),
  sha256: sha256.nullable(),
  failure: failureSchema.nullable(),
});
export type Download = z.infer<typeof download>;

/** It is not over: it waits, or receives. */
export const isRunningDownload = ({ state }: Download): boolean => state === 'waiting' || state === 'receiving';

/**
 * What is exported as text about a sample. Times are UTC, ISO 8601. Names, threats and tags of services are untrusted
 * text.
 */
export const sampleFacts = z.object({
  sha256: sha256.nullable(),
  sha1: sha1.nullable(),
  md5: md5.nullable(),
  name: z.string().nullable(),
  sizeBytes: z.number().int().nonnegative().nullable(),
  type: z.string().nullable(),
  /** The strictest of all sources. */
  tlp: tlpLevel.nullable(),
  /** A record of it was read: without one, no service was asked for its TLP. */
  isRecorded: z.boolean(),
  /** The local TLP. */
  ownTlp: tlpLevel.nullable(),
  threat: z.string().nullable(),
  /** Local tags. */
  tags: z.array(tag),
  serviceTags: z.array(z.string()),
  /** Names of rules that hit it, by its last scan. */
  hits: z.array(z.string()),
  firstSeen: z.string(),
  lastSeen: z.string(),
  /** Held, and as it should be. */
  inVault: z.boolean(),
  /** The vault has bytes of it, or had them: also where they are missing or altered. */
  hasBytes: z.boolean(),
});
export type SampleFacts = z.infer<typeof sampleFacts>;
