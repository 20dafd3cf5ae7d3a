import type { UploadReply } from '../../api/uploads.ts';

/**
 * What the reply to an upload says of one of its files. `silent`: nothing, which is an answer too: some servers read
 * only the first twenty files. `doubtful`: that it was accepted, in a reply of which not all could be read.
 */
export type SaidOfFile =
  { kind: 'accepted' } | { kind: 'doubtful' } | { kind: 'refused'; words: string } | { kind: 'silent' };

/**
 * By MD5 alone, never by place or by name (docs/services.md, "uploadfiles"). Servers that refuse a file may name no
 * MD5: such words are then of every file the reply is silent about, since nobody can say of which.
 */
export function saidOfFiles(md5s: readonly string[], { items, lacksSome }: UploadReply): Map<string, SaidOfFile> {
  const accepted: SaidOfFile = { kind: lacksSome === true ? 'doubtful' : 'accepted' };
  const named = new Map<string, SaidOfFile>();
  for (const { md5, error } of items) {
    if (md5 === null || named.get(md5) === accepted) continue;
    named.set(md5, error === null ? accepted : { kind: 'refused', words: error });
  }
  const nameless = [...new Set(items.flatMap(({ md5, error }) => (md5 === null && error !== null ? [error] : [])))];
  const rest: SaidOfFile =
    nameless.length === 0 ? { kind: 'silent' } : { kind: 'refused', words: nameless.join(' · ') };
  return new Map(md5s.map((md5) => [md5, named.get(md5) ?? rest]));
}
