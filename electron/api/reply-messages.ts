import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { Failure, ServiceName } from '../../shared/failure.ts';
import type { ScanReply } from './scan-reply.ts';

/** One reply to be read. Holds the token, which is what must not be in what is read. */
export interface ToReplyReader {
  of: { kind: 'scan' } | { kind: 'sample'; md5: string };
  status: number;
  body: Uint8Array;
  service: ServiceName;
  address: string;
  action: string;
  token: string | null;
}

export type ReadReply = { kind: 'scan'; reply: ScanReply } | { kind: 'sample'; record: SampleRecord };
export type FromReplyReader = ReadReply | { kind: 'failed'; failure: Failure } | { kind: 'defect'; text: string };
