export interface ScanLimits {
  /** A file that takes longer to be scanned is given up. Reading it has as long once more. */
  fileSeconds: number;
  /** Scans in one process of the portable engine, which never gives memory back: some 100 KiB each. */
  recycleAfter: number;
}

export const scanLimits: ScanLimits = { fileSeconds: 30, recycleAfter: 1000 };
