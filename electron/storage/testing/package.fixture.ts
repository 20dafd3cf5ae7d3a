import { defaultRuleOptions, type LastCheck, type RuleOptions } from '../../../shared/domain/publication.ts';
import type { FoundPackage } from '../packages/package-store.ts';

/** A SHA-256 for a test. */
export const packageOfNumber = (number: number): string => number.toString(16).padStart(64, '0');

/** The n-th package that was found, an hour after the one before. */
export const foundPackage = (number: number, facts: Partial<FoundPackage> = {}): FoundPackage => ({
  sha256: packageOfNumber(number),
  remoteId: `r-${number}`,
  version: `1.${number}`,
  group: 'Release',
  published: null,
  source: 'service',
  sizeBytes: 1000 + number,
  received: new Date(Date.UTC(2030, 0, 1, number)).toISOString(),
  contents: { files: 2, rules: 10, broken: 0 },
  variables: [],
  isRelaxed: false,
  failure: null,
  warnings: [],
  broken: [],
  engineWarnings: [],
  tokens: [],
  ...facts,
});

export const checkWith = (facts: Partial<LastCheck> = {}): LastCheck => ({
  at: '2030-01-02T00:00:00.000Z',
  outcome: 'found',
  version: null,
  failure: null,
  reply: null,
  missing: [],
  ...facts,
});

export const ruleOptionsWith = (facts: Partial<RuleOptions>): RuleOptions => ({ ...defaultRuleOptions, ...facts });
