export interface LabScanLimits {
  /** Of a file: it is in memory as a whole. */
  fileBytes: number;
  /** How long the rules may look at it. */
  fileSeconds: number;
}

export const usualScanLimits: LabScanLimits = { fileBytes: 256 * 1024 ** 2, fileSeconds: 30 };
