import type { RuleFacts, RuleFingerprint, RulePieces } from '../../rules/rule-library.ts';

/** The rules of packages that are kept here. Rejects with `package-missing`, and with why one cannot be opened. */
export interface RulesPort {
  pieces(workspaceId: string, sha256: string): Promise<RulePieces>;
  fingerprints(workspaceId: string, sha256: string): Promise<RuleFingerprint[]>;
  facts(workspaceId: string, sha256: string, names: readonly string[]): Promise<(RuleFacts | null)[]>;
}
