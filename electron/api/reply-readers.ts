import type { OlderComments } from '../../shared/domain/comment.ts';
import type { Json, SampleRecord } from '../../shared/domain/sample.ts';
import type { FoundPage, FoundSample } from '../../shared/domain/server-record.ts';
import type { CallFacts, WholeReply } from './call.ts';
import { readCommentReply } from './comments.ts';
import { readOlderBytes, readSampleBytes } from './replies/sample-reply.ts';
import { readScanBytes, type ScanReply } from './replies/scan-reply.ts';
import {
  type EditorFile,
  readEditorFiles,
  readFoundPage,
  readFoundSamples,
  readTagsInUse,
} from './replies/server-lists.ts';
import { readVersionBytes } from './replies/version-reply.ts';
import { readUploadReply, type UploadReply } from './uploads.ts';

/** What each kind of reply is read as. All of it is bounded, so that it can cross to another thread in one turn. */
export interface Readings {
  sample: SampleRecord;
  olderComments: OlderComments;
  upload: UploadReply;
  comment: { id: string | null };
  scan: ScanReply;
  version: Json;
  foundSamples: FoundSample[];
  foundPage: FoundPage;
  tagsInUse: { tag: string; samples: number }[];
  ruleFiles: EditorFile[];
}
export type ReplyKind = keyof Readings;

/** What has to be known to read one. */
export interface Questions {
  sample: { md5: string };
  olderComments: { md5: string; before: number };
  upload: null;
  comment: null;
  scan: null;
  version: null;
  foundSamples: null;
  foundPage: { limit: number; after: string | null };
  tagsInUse: null;
  ruleFiles: null;
}

export type ReplyReader<K extends ReplyKind> = (
  reply: WholeReply,
  facts: CallFacts,
  question: Questions[K],
) => Readings[K];

/** What the thread reads with. Each throws the failure that the reply is. */
export const replyReaders: { readonly [K in ReplyKind]: ReplyReader<K> } = {
  sample: (reply, facts, { md5 }) => readSampleBytes(reply, md5, facts),
  olderComments: (reply, facts, { md5, before }) => readOlderBytes(reply, md5, before, facts),
  upload: readUploadReply,
  comment: readCommentReply,
  scan: readScanBytes,
  version: readVersionBytes,
  foundSamples: readFoundSamples,
  foundPage: readFoundPage,
  tagsInUse: readTagsInUse,
  ruleFiles: readEditorFiles,
};
