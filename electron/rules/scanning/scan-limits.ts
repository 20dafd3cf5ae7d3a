export interface ScanLimits {
  /** A file that takes longer to be scanned is given up. Reading it has as long once more. */
  fileSeconds: number;
  /**
   * Of one process, in MiB. One that takes more is ended: its file is given up, or the rule that takes so much is left
   * out. A thread has none.
   */
  memoryMebibytes: number;
  /** Scans in one process of the portable engine, which never gives memory back: some 100 KiB each. */
  recycleAfter: number;
}

export const scanLimits: ScanLimits = { fileSeconds: 30, memoryMebibytes: 2048, recycleAfter: 1000 };
