import type { Json } from '../../../shared/domain/sample.ts';
import type { FoundSample } from '../../../shared/domain/server-record.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts, WholeReply } from '../call.ts';
import { quotedReply, readServiceError, readWarnedJson, refusalOf } from './json-reply.ts';
import { boundJson, isObject, listOf, membersOf, plainName, readCount, readText } from './json-values.ts';
import { readSample } from './sample-reply.ts';

/** What is read of a longer list. */
const mostFound = 1000;
const mostTags = 10_000;
const longestTag = 200;
/** As many as a package may have. */
const mostEditorFiles = 20_000;
const longestId = 200;
const serverTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/**
 * The samples in a reply to `getfiles` (docs/services.md, "getfiles"): `{"files": […]}`, each as in `getfile`, or the
 * bare list. Entries without an MD5 are left out: nothing can be requested about them. Throws `request-refused` for an
 * error in JSON, a failure of `readWarnedJson`, `text-around-json` for an empty list behind a warning, or
 * `unreadable-reply` for JSON that is no list of samples, or of samples that all lack an MD5.
 */
export function readFoundSamples(reply: WholeReply, facts: CallFacts): FoundSample[] {
  const entries = entriesOf(reply, facts, 'files', mostFound);
  const found = entries.flatMap((entry) => {
    const sample = isObject(entry) && Object.keys(entry).length > 0 ? readSample(entry) : 'unreadable';
    if (typeof sample === 'string' || sample.md5 === null) return [];
    const { md5, sha256, name, sizeBytes, date, threat, tags, uploader } = sample;
    return [{ md5, sha256, name, sizeBytes, date, threat, tags, uploader }];
  });
  return entries.length > 0 && found.length === 0 ? fail(quotedReply('unreadable-reply', reply, facts)) : found;
}

/**
 * The tags of a repository in a reply to `gettagsdata`: a list of `{"tag", "count"}`, or of texts; most used first.
 * Throws as `readFoundSamples`.
 */
export function readTagsInUse(reply: WholeReply, facts: CallFacts): { tag: string; samples: number }[] {
  const byTag = new Map<string, number>();
  for (const entry of entriesOf(reply, facts, 'tags', mostTags)) {
    const members = membersOf(entry);
    const tag = readText(isObject(entry) ? (members.get('tag') ?? null) : entry)?.trim() ?? '';
    if (tag === '' || tag.length > longestTag) continue;
    byTag.set(tag, (byTag.get(tag) ?? 0) + (readCount(members.get('count') ?? null) ?? 0));
  }
  return [...byTag].map(([tag, samples]) => ({ tag, samples })).toSorted((a, b) => b.samples - a.samples);
}

/** A file of rules that a rule editor keeps. `name` is untrusted text, without an extension. */
export interface EditorFile {
  id: string;
  name: string;
  /** How many rules it has; null: unknown. */
  rules: number | null;
  /** In the server's local time, as `2026-11-30 03:23:33`; null: unknown. */
  modified: string | null;
}

/**
 * The files of rules in a rule editor's reply to `getfiles` (docs/services.md, "exportfile"): a list of `{"id", "name",
 * "rules", "last_modified"}`. All of them or none: what is made of them must not lack one. Throws as
 * `readFoundSamples`, and `unreadable-reply` for an entry that cannot be read, or for more than are read.
 */
export function readEditorFiles(reply: WholeReply, facts: CallFacts): EditorFile[] {
  const unreadable = (): never => fail(quotedReply('unreadable-reply', reply, facts));
  const entries = entriesOf(reply, facts, 'files', mostEditorFiles + 1);
  if (entries.length > mostEditorFiles) return unreadable();
  const files = entries.map((entry): EditorFile => {
    const members = membersOf(entry);
    const id = readText(members.get('id') ?? null);
    if (id === null || id === undefined || id === '' || id.length > longestId) return unreadable();
    const modified = readText(members.get('lastmodified') ?? null) ?? '';
    return {
      id,
      name: readText(members.get('name') ?? null) ?? id,
      rules: readCount(members.get('rules') ?? null) ?? null,
      modified: serverTime.test(modified) ? modified : null,
    };
  });
  return [...new Map(files.map((file) => [file.id, file])).values()];
}

/**
 * Whether a reply to `getfiles` is a list at all, also an empty one behind a warning: what it shows of the action.
 * Throws as `readFoundSamples`.
 */
export function requireSampleList(reply: WholeReply, facts: CallFacts): void {
  if (listIn(reply, facts, 'files').entries.length > 0) readFoundSamples(reply, facts);
}

/** The entries of a list that is all of the reply, or its member `name`, within bounds and without secrets. */
function entriesOf(reply: WholeReply, facts: CallFacts, name: string, most: number): Json[] {
  const { entries, warning } = listIn(reply, facts, name);
  // What a warning is about may be why there is none.
  if (warning !== null && entries.length === 0) return fail(quotedReply('text-around-json', reply, facts));
  // Each by itself: one large entry takes nothing from the bounds of the others.
  return entries.slice(0, most).map((entry) => boundJson(entry, facts.redaction.data));
}

function listIn(reply: WholeReply, facts: CallFacts, name: string): { entries: Json[]; warning: string | null } {
  const { json, warning } = readWarnedJson(reply, facts);
  const error = readServiceError(json);
  if (error) return fail(refusalOf(error, reply.status, facts));
  const wrapped = isObject(json) ? membersOf(json).get(plainName(name)) : undefined;
  const entries = wrapped === undefined && !Array.isArray(json) ? null : listOf(wrapped ?? json);
  if (entries === null) return fail(quotedReply('unreadable-reply', reply, facts));
  return { entries, warning };
}
