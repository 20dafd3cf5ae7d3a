import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Action, ActionCall, Service } from './action.ts';
import { addComment } from './add-comment.ts';
import type { BlobStore, ByteRange } from './blob-store.ts';
import { bulkDownload } from './bulk-download.ts';
import { readRange } from './byte-range.ts';
import type { FormLimits } from './form-limits.ts';
import { knownSample } from './known-sample.ts';
import type { MetadataStore, StoredSample } from './metadata-store.ts';
import { md5Parameter } from './request-query.ts';
import { requireOpenTo } from './restricted-files.ts';
import { sampleReply } from './sample-reply.ts';
import { sendChunks } from './send-chunks.ts';
import { sendJson } from './send-json.ts';
import { uploadFiles } from './upload-files.ts';

export interface RepositoryStores {
  metadata: MetadataStore;
  blobs: BlobStore;
}

export function repositoryService(stores: RepositoryStores, limits: FormLimits): Service {
  return new Map([
    ['getfile', getFile(stores)],
    ['downloadfile', downloadFile(stores)],
    ['bulkdownload', bulkDownload(stores)],
    ['uploadfiles', uploadFiles(stores, limits)],
    ['addcomment', addComment(stores, limits)],
  ]);
}

/** `hash` → `{"file": {…}}`; an unknown MD5 is 404. */
function getFile({ metadata }: RepositoryStores): Action {
  return {
    method: 'GET',
    right: 'read',
    answer: async ({ parameters, response }) => {
      const sample = await knownSample(metadata, md5Parameter(parameters, 'hash'));
      const comments = await metadata.commentsOf(sample.hashes.sha256);
      sendJson(response, 200, { file: sampleReply(sample, comments) });
    },
  };
}

/** `file` → the bytes, whole or one range of them; an unknown MD5 is 404. */
function downloadFile({ metadata, blobs }: RepositoryStores): Action {
  return {
    method: 'GET',
    right: 'download',
    answer: async (call) => {
      const sample = await knownSample(metadata, md5Parameter(call.parameters, 'file'));
      requireOpenTo(call.caller.rights, sample);
      await sendBytes(blobs, sample, call);
    },
  };
}

async function sendBytes(blobs: BlobStore, sample: StoredSample, { request, response }: ActionCall): Promise<void> {
  const range = rangeAsked(request, sample);
  await sendChunks(
    response,
    range === null ? 200 : 206,
    downloadHeaders(sample, range),
    blobs.read(sample.hashes.sha256, range ?? undefined),
  );
}

/** The bytes behind the tag never change, so If-Range holds exactly when it names it (RFC 9110, section 13.1.5). */
function rangeAsked(request: IncomingMessage, sample: StoredSample): ByteRange | null {
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== entityTag(sample)) return null;
  return readRange(request.headers.range, sample.sizeBytes);
}

function downloadHeaders(sample: StoredSample, range: ByteRange | null): OutgoingHttpHeaders {
  const whole = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': sample.sizeBytes,
    'Content-Disposition': `attachment; filename="${sample.hashes.md5}"`,
    'Accept-Ranges': 'bytes',
    ETag: entityTag(sample),
  };
  if (range === null) return whole;
  const { first, last } = range;
  return {
    ...whole,
    'Content-Length': last - first + 1,
    'Content-Range': `bytes ${first}-${last}/${sample.sizeBytes}`,
  };
}

const entityTag = ({ hashes }: StoredSample): string => `"${hashes.sha256}"`;
