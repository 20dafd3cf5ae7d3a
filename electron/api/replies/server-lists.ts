import type { Json } from '../../../shared/domain/sample.ts';
import type { FoundPage, FoundSample } from '../../../shared/domain/server-record.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts, WholeReply } from '../call.ts';
import { quotedReply, readServiceError, readWarnedJson, refusalOf } from './json-reply.ts';
import {
  boundJson,
  isObject,
  listOf,
  type Members,
  membersOf,
  plainName,
  readCount,
  readFlag,
  readText,
} from './json-values.ts';
import { readSample } from './sample-reply.ts';

/** What is read of a longer list. */
const mostFound = 1000;
const mostTags = 10_000;
const longestTag = 200;
/** Of the mark of a page, in characters, which becomes a part of an address. */
const longestMark = 4096;
const printable = /^[\x21-\x7e]+$/;
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
  const found = samplesIn(entries);
  return entries.length > 0 && found.length === 0 ? fail(quotedReply('unreadable-reply', reply, facts)) : found;
}

/** Without the entries that have no MD5. */
const samplesIn = (entries: readonly Json[]): FoundSample[] =>
  entries.flatMap((entry) => {
    const sample = isObject(entry) && Object.keys(entry).length > 0 ? readSample(entry) : 'unreadable';
    if (typeof sample === 'string' || sample.md5 === null) return [];
    const { md5, sha256, name, sizeBytes, date, threat, tags, uploader } = sample;
    return [{ md5, sha256, name, sizeBytes, date, threat, tags, uploader }];
  });

/**
 * A page in a reply to `searchfiles` (docs/services.md, "searchfiles"): `{"files": […], "next", "total", "more"}`,
 * entries as in `getfiles`. `limit` and `after` are what was requested. Throws as `readFoundSamples`; also
 * `unreadable-reply` for more entries than requested, and for a `next` that is too long, not printable, or the `after`
 * of this page: it would lead here again.
 */
export function readFoundPage(
  reply: WholeReply,
  facts: CallFacts,
  { limit, after }: { limit: number; after: string | null },
): FoundPage {
  const { entries, members } = sureListIn(reply, facts, 'files');
  const [total, more] = [readCount(members.get('total') ?? null), readFlag(members.get('more') ?? null)];
  const next = readNext(members.get('next') ?? null, facts);
  const found = entries.length > limit ? [] : samplesIn(entries.map((entry) => boundJson(entry, facts.redaction.data)));
  const isLost = entries.length > 0 && found.length === 0;
  if (isLost || typeof total !== 'number' || typeof more !== 'boolean' || next === undefined)
    return fail(quotedReply('unreadable-reply', reply, facts));
  if (next !== null && next === after) return fail(quotedReply('unreadable-reply', reply, facts));
  return { found, next, total: Math.max(total, found.length), more };
}

/** undefined: what is there cannot be sent back. */
function readNext(value: Json, { redaction }: CallFacts): string | null | undefined {
  if (value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > longestMark) return undefined;
  const mark = redaction.data(value);
  return printable.test(mark) ? mark : undefined;
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
  const { entries } = sureListIn(reply, facts, name);
  // Each by itself: one large entry takes nothing from the bounds of the others.
  return entries.slice(0, most).map((entry) => boundJson(entry, facts.redaction.data));
}

/** What a warning is about may be why a list behind it is empty. */
function sureListIn(reply: WholeReply, facts: CallFacts, name: string): ListReply {
  const list = listIn(reply, facts, name);
  const isDoubtful = list.warning !== null && list.entries.length === 0;
  return isDoubtful ? fail(quotedReply('text-around-json', reply, facts)) : list;
}

interface ListReply {
  entries: Json[];
  warning: string | null;
  /** What is beside the list; nothing where the list is all of the reply. */
  members: Members;
}

function listIn(reply: WholeReply, facts: CallFacts, name: string): ListReply {
  const { json, warning } = readWarnedJson(reply, facts);
  const error = readServiceError(json);
  if (error) return fail(refusalOf(error, reply.status, facts));
  const members = membersOf(json);
  const wrapped = members.get(plainName(name));
  const entries = wrapped === undefined && !Array.isArray(json) ? null : listOf(wrapped ?? json);
  if (entries === null) return fail(quotedReply('unreadable-reply', reply, facts));
  return { entries, warning, members };
}
