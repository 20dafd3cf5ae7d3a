/** What an engine may take before it is ended. A test sets them low. */
export interface GateLimits {
  /** For up to `chunkRules` rules at once. Who exceeds it is tried rule by rule. */
  fileSeconds: number;
  /** For one rule. */
  ruleSeconds: number;
  /** Until an engine is there. */
  startSeconds: number;
  /** For all of a package: a rule that was not compiled by then is left out. */
  totalSeconds: number;
}

export const gateLimits: GateLimits = { fileSeconds: 20, ruleSeconds: 10, startSeconds: 30, totalSeconds: 600 };
