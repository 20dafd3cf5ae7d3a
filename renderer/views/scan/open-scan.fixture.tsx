import { act, fireEvent, screen } from '@testing-library/react';
import type { HuntEstimate, ScanPlan, VaultSample } from '../../../shared/domain/scan.ts';
import { fileEntry } from '../../features/uploads/file-system.fixture.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { noPlan } from '../../test/quiet-host.ts';

const installed = { sha256: 'a'.repeat(64), version: '2026.11.10', rules: 409 };

/** Rules are installed, and there is a rule editor on another host. */
export const fullPlan: ScanPlan = {
  ...noPlan,
  package: installed,
  service: { host: 'rules.example', isHere: false, asksTlp: false },
  local: { engine: 'native', nativeFailure: null, chosen: 'auto' },
};

export const someEstimate: HuntEstimate = {
  package: installed,
  rules: 5,
  names: ['ashveil_config_xor', 'quillpost_macro_chain'],
  removed: ['brassmoth_beacon_old'],
  against: { version: '2026.11.03', hunted: '2026-11-03T15:00:00.000Z' },
  samples: 8214,
  bytes: 61.3 * 2 ** 30,
  engine: 'native',
  seconds: 372,
  total: { rules: 409, samples: 8214 },
  unseen: { rules: 5, samples: 8214, pairs: 41_070 },
  older: { rules: 0, samples: 0, pairs: 0 },
  isFirst: false,
};

export const sampleAt = (number: number, change: Partial<VaultSample> = {}): VaultSample => ({
  sha256: number.toString(16).padStart(64, '0'),
  md5: null,
  name: `sample_${number}.exe`,
  sizeBytes: 1000 + number,
  lastSeen: '2026-11-18T14:21:00.000Z',
  ...change,
});

/** A vault of so many samples; a search finds those with the words in their name. */
export const vaultOf = (count: number): GivenAnswers => ({
  'samples.inVault': ({ find, offset, limit }) => {
    const samples = Array.from({ length: count }, (_, at) => sampleAt(at + 1)).filter(
      ({ name }) => name?.includes(find) === true,
    );
    return { samples: samples.slice(offset, offset + limit), total: samples.length };
  },
});

/** The page in the Scan view. */
export async function openScanView(answers: GivenAnswers = {}) {
  const page = await open({
    'scans.plan': () => fullPlan,
    'hunts.estimate': () => someEstimate,
    ...vaultOf(3),
    ...answers,
  });
  await page.user.keyboard('{Control>}6{/Control}');
  await screen.findByRole('heading', { level: 1, name: 'Scan' });
  return page;
}

export async function dropFiles(...names: string[]): Promise<void> {
  const items = names.map((name) => ({
    kind: 'file',
    webkitGetAsEntry: () => fileEntry(name),
    getAsFile: () => new File([name], name),
  }));
  await act(
    async () =>
      void fireEvent.drop(screen.getByRole('main'), { dataTransfer: { types: ['Files'], items, dropEffect: 'none' } }),
  );
}
