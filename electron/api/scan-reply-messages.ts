import type { Failure, ServiceName } from '../../shared/failure.ts';
import type { ScanReply } from './scan-reply.ts';

/** One reply to be read. Holds the token, which is what must not be in what is read. */
export interface ToScanReply {
  status: number;
  body: Uint8Array;
  service: ServiceName;
  address: string;
  action: string;
  token: string | null;
}

export type FromScanReply = { kind: 'read'; reply: ScanReply } | { kind: 'failed'; failure: Failure } | { kind: 'defect'; text: string };
