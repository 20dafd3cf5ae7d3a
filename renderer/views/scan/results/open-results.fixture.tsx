import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef } from 'react';
import type { Job } from '../../../../shared/domain/job.ts';
import type { FileGroup, RuleGroup, RuleHit, ScannedFile, ScanResult } from '../../../../shared/domain/scan.ts';
import { huntJob, scanJob } from '../../../components/jobs/job.fixture.ts';
import { useJobActions } from '../../../features/jobs/job-actions.tsx';
import { PublicationsPlaceProvider, usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { ScanPlacesProvider } from '../../../features/scans/scan-places.tsx';
import { ScanStoreProvider } from '../../../features/scans/scan-store.tsx';
import { useLetterButtons } from '../../../keyboard/view-keys.ts';
import { useJob } from '../../../state/jobs.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { type GivenAnswers, MemoryBridge } from '../../../test/memory-bridge.ts';
import { emptySummary } from '../../../test/quiet-host.ts';
import { TestProviders } from '../../../test/test-providers.fixture.tsx';
import { ScanHeadActions } from './head-actions.tsx';
import { ScanResults } from './scan-results.tsx';

export { huntJob, scanJob };

export const sha256Of = (position: number): string => position.toString(16).padStart(64, '0');
const used = { sha256: 'a'.repeat(64), version: '2026.11.10', rules: 409 };

export function hitOf(rule: string, offsets: readonly number[] = [0x10], change: Partial<RuleHit> = {}): RuleHit {
  const matches = offsets.map((offset) => ({ offset, length: 4, data: '8034085c' }));
  return {
    rule,
    namespace: null,
    tags: ['config'],
    meta: [],
    family: 'ashveil',
    place: { number: 1, file: 'loader/ashveil.yar', line: 12 },
    strings: [{ id: '$key', matches, total: matches.length, isAtLeast: false }],
    ...change,
  };
}

export function resultOf(
  side: ScanResult['side'],
  hits: readonly RuleHit[],
  change: Partial<ScanResult> = {},
): ScanResult {
  return {
    side,
    state: 'scanned',
    engine: side === 'local' ? 'native' : null,
    package: used,
    elapsedMs: side === 'local' ? 31 : 412,
    hits: [...hits],
    isCut: false,
    withoutGlobal: [],
    failure: null,
    raw: side === 'service' ? '{"matches":[]}' : null,
    ...change,
  };
}

export function fileOf(
  position: number,
  results: readonly ScanResult[],
  change: Partial<ScannedFile> = {},
): ScannedFile {
  return {
    position,
    name: `sample_${position}.dll`,
    md5: null,
    sha256: sha256Of(position),
    sizeBytes: 4096,
    inVault: true,
    tlp: null,
    paths: [],
    tags: ['family:ashveil'],
    results: [...results],
    muted: [],
    added: [],
    lost: [],
    known: null,
    ...change,
  };
}

export function fileGroupOf(position: number, change: Partial<FileGroup> = {}): FileGroup {
  return {
    by: 'file',
    position,
    name: `sample_${position}.dll`,
    sha256: sha256Of(position),
    sizeBytes: 4096,
    state: 'done',
    failure: null,
    isNotUnderstood: false,
    isWithoutGlobal: false,
    hits: 0,
    rules: [],
    matches: 0,
    muted: 0,
    added: 0,
    lost: 0,
    agreement: null,
    looked: [409],
    known: null,
    ...change,
  };
}

export function ruleGroupOf(rule: string, change: Partial<RuleGroup> = {}): RuleGroup {
  return {
    by: 'rule',
    rule,
    tags: [],
    family: 'ashveil',
    files: 2,
    matches: 6,
    muted: 0,
    added: 0,
    lost: 0,
    service: 2,
    local: 2,
    ...change,
  };
}

/** A scan of so many files, over. */
export const scanOf = (items: number, change: Partial<Job> = {}): Job => ({
  ...scanJob,
  items,
  counts: { ...scanJob.counts, done: items },
  ...change,
});

/** The results of a job and what can be done with them, over a host in memory. */
export function openResults(job: Job, answers: GivenAnswers = {}) {
  const bridge = new MemoryBridge({
    'scans.summary': () => ({ ...emptySummary, files: job.items, scanned: job.items }),
    ...answers,
  });
  const user = userEvent.setup();
  render(
    <TestProviders bridge={bridge} features={[PublicationsPlaceProvider, ScanPlacesProvider, ScanStoreProvider]}>
      <View job={job} />
    </TestProviders>,
  );
  return { bridge, user };
}

function View({ job: first }: { job: Job }) {
  const { currentView, publicationsTab, shownScan } = useNavigation();
  const [{ find }] = usePublicationsPlace('lab');
  const job = useJob(first.id) ?? first;
  const acts = useJobActions(first.id);
  const view = useRef<HTMLDivElement>(null);
  const onLetter = useLetterButtons(view);
  if (currentView === 'publications') return <p>{`${publicationsTab}: ${find}`}</p>;
  return (
    // Listens to the keys of its content, as the view does.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={view} onKeyDown={onLetter}>
      {shownScan !== null && <p>{`scan ${shownScan.jobId}`}</p>}
      <ScanHeadActions job={job} acts={acts} />
      <ScanResults job={job} acts={acts} />
    </div>
  );
}
