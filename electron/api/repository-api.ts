import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { Call } from './call.ts';
import { archiveBytes } from './archive-bytes.ts';
import { type CallOptions, type ClientOptions, createClient } from './client.ts';
import type { Connection } from './connection.ts';
import { readJsonReply } from './replies/read-json-reply.ts';
import { readSampleReply } from './replies/read-sample-reply.ts';
import { sampleBytes } from './sample-bytes.ts';

export interface ByteReply {
  /** As the service announced it, in bytes; null when it did not. Counts stray bytes at the end of the file too. */
  expectedBytes: number | null;
  /**
   * Pieces as the connection brings them, at most 64 KiB each. Once only. Iterate it to its
   * end or leave the loop; else the connection may stay open until the signal is aborted. Throws `connection-lost`, `timed-out`, `cancelled`.
   */
  chunks: AsyncIterable<Uint8Array>;
}

/** The repository's calls (docs/services.md, "getfile", "downloadfile"). Hashes are taken in any case. */
export interface RepositoryApi {
  /** The record of a sample. Throws `unknown-hash`, `forbidden`, `forbidden-or-unknown`, or why there was no such answer. */
  getFile(md5: string, options?: CallOptions): Promise<SampleRecord>;
  /**
   * The bytes of a sample as they arrive, unverified: two stray bytes `{}` may follow the file. `forbidden-or-unknown` is all
   * that this action tells; `getFile` tells more.
   */
  downloadFile(md5: string, options?: CallOptions): Promise<ByteReply>;
  /**
   * Several samples as one ZIP, as it arrives, unread (docs/services.md, "bulkdownload"). All or nothing: one unknown or
   * forbidden hash refuses the whole. Throws `forbidden-or-unknown`, `unknown-hash` or `forbidden` for a refused list, with the
   * hash only when it was the only one; `action-unknown`; `request-refused`, also for too long an address; `not-an-archive`, or
   * what else came under 200 instead of a ZIP; or why there was no answer.
   */
  bulkDownload(md5s: readonly string[], options?: CallOptions): Promise<ByteReply>;
  /** The length in bytes of the address `bulkDownload` asks, token included: what a server limits. */
  bulkAddressBytes(md5s: readonly string[]): number;
}

export function createRepositoryApi(connection: Connection, options: ClientOptions = {}): RepositoryApi {
  const client = createClient(connection, options);
  return {
    getFile: async (md5, callOptions) => {
      const call = callAbout(md5, 'getfile', 'hash');
      const reply = await client.read(call, callOptions);
      return readSampleReply(readJsonReply(reply, client.facts(call)), reply, md5.toLowerCase(), client.facts(call));
    },
    downloadFile: async (md5, callOptions) => {
      const call = callAbout(md5, 'downloadfile', 'file');
      return sampleBytes(await client.open(call, callOptions), md5.toLowerCase(), client.facts(call));
    },
    bulkDownload: async (md5s, callOptions) => {
      const call = callAboutAll(md5s);
      return archiveBytes(await client.open(call, callOptions), client.facts(call));
    },
    // Asked for every hash that a list may still take: not by building the whole address each time.
    bulkAddressBytes: (md5s) => {
      const none = client.addressBytes(callAboutAll([]));
      return none + md5s.length * (client.addressBytes(callAboutAll([anyMd5])) - none);
    },
  };
}

/** Each is 32 characters, which no encoding makes more. */
const anyMd5 = '0'.repeat(32);

/** Servers in the field know a hash in lower case only. */
function callAbout(md5: string, action: string, parameter: string): Call {
  const hash = md5.toLowerCase();
  return { action, parameters: [[parameter, hash]], hashes: [hash] };
}

function callAboutAll(md5s: readonly string[]): Call {
  const hashes = md5s.map((md5) => md5.toLowerCase());
  return { action: 'bulkdownload', parameters: hashes.map((hash) => ['files[]', hash] as const), hashes };
}
