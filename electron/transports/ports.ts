import type { StagedFile } from '../../shared/domain/upload.ts';

/** Where files a person picked go. Both throw `FailureError`. */
export interface StagingPort {
  /** `bytes` fails with `cancelled` when the page goes away half-way; nothing may be kept then. */
  stageStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<StagedFile>;
  stagePath(path: string): Promise<StagedFile>;
}

/** Prepared browser downloads. */
export interface ExportsPort {
  /** Gives a download out once: the id is dead from then on. Null when there is none. */
  take(id: string): ExportDownload | null;
}

export interface ExportDownload {
  fileName: string;
  /** Null when it is not known beforehand. */
  sizeBytes: number | null;
  open(): AsyncIterable<Uint8Array>;
}
