import type { BundleFacts, BundleOpening } from '../../../shared/domain/bundle.ts';

/** A bundle that was read, and what it would change. */
export const bundleFacts: BundleFacts = {
  created: '2026-11-18T14:21:00.000Z',
  title: 'Case 2026-114',
  parts: { samples: true, notes: true, threads: true, rules: true },
  signer: {
    fingerprint: 'bf5549086c3409123560ec00c6d17766fa0f601ae9266780e1e431dcd749a9e2',
    name: 'A. Weber, CERT North',
    standing: 'new',
    isNamesake: false,
  },
  samples: 112,
  withBytes: 109,
  bytes: 127_000_000,
  changes: {
    samples: { new: 96, same: 13, contradicting: 3, newBytes: 101_000_000, bytes: 127_000_000 },
    tags: { new: 240 },
    notes: { new: 4, same: 2, added: 1 },
    tlps: { stricter: 12, same: 80 },
  },
  workspaces: [
    {
      workspaceId: 'lab',
      records: { new: 96, newer: 3, same: 9, older: 1, contradicting: 2 },
      comments: { new: 31, same: 4 },
      rules: { version: '2026.11.10', state: 'new' },
    },
    {
      workspaceId: 'team',
      records: { new: 0, newer: 0, same: 109, older: 0, contradicting: 0 },
      comments: { new: 0, same: 35 },
      rules: { version: '2026.11.10', state: 'same' },
    },
  ],
};

/** A bundle in the given state. */
export const bundleOpening = (state: BundleOpening['state'], change: Partial<BundleOpening> = {}): BundleOpening => ({
  id: 'b1',
  name: 'case.vitrine-bundle',
  sizeBytes: 128_000_000,
  readBytes: 53_000_000,
  state,
  failure: null,
  facts: state === 'reading' || state === 'refused' ? null : bundleFacts,
  job: null,
  ...change,
});
