import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import type { LibrarySample } from '../../../shared/domain/library.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import { createQueryClient } from '../../bridge/query-client.ts';
import { PaletteProvider } from '../../state/commands.tsx';
import { DownloadsProvider } from '../../state/downloads.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { type GivenAnswers, MemoryBridge } from '../../test/memory-bridge.ts';
import { found, md5, sha1, sha256 } from '../../test/quiet-host.ts';
import { TestProviders } from '../../test/test-providers.fixture.tsx';
import { LastAnswerProvider, useLastAnswer } from '../lookup/last-answer.tsx';
import { LookupStoreProvider } from '../lookup/lookup-store.tsx';
import { ScanStoreProvider } from '../scans/scan-store.tsx';
import { SamplePage } from './sample-page.tsx';

/** A sample of the vault, looked up once. */
export const known: LibrarySample = {
  row: {
    hash: sha256,
    md5,
    sha1,
    sha256,
    name: 'update_helper.dll',
    sizeBytes: 1_208_320,
    type: 'PE64 DLL',
    tags: ['case:114'],
    serviceTags: ['family:ashveil'],
    tlp: 'amber',
    isRecorded: true,
    threat: null,
    severity: null,
    hits: 0,
    comments: 0,
    hasNote: false,
    vault: 'held',
    firstSeen: '2026-11-09T07:40:00.000Z',
    lastSeen: '2026-11-18T14:21:00.000Z',
  },
  note: null,
  tlps: [{ level: 'amber', source: 'tag' }],
  names: [],
  records: [{ workspaceId: 'lab', readAt: '2026-11-18T14:21:00.000Z', record: found.record }],
  sameMd5: [],
};

/** A hit of the last scan. */
export const hit = (rule: string, change: Partial<SampleHit> = {}): SampleHit => ({
  rule,
  side: 'local',
  version: '2026.11.10',
  firstSeen: '2026-11-10T15:00:00.000Z',
  lastSeen: '2026-11-18T14:29:00.000Z',
  matches: 3,
  jobId: 221,
  position: 1,
  mute: null,
  ...change,
});

/** The page of a sample over a host in memory that keeps what it receives; `change` makes it another sample. */
export function openSample(change: Partial<LibrarySample> | null = {}, answers: GivenAnswers = {}) {
  let sample: LibrarySample | null = change === null ? null : { ...known, ...change };
  const row = (part: Partial<LibrarySample['row']>): void => {
    if (sample !== null) sample = { ...sample, row: { ...sample.row, ...part } };
  };
  const bridge = new MemoryBridge({
    'library.sample': ({ hash }) => sample ?? fail({ kind: 'not-in-library', hash }),
    'library.change': ({ change: { add, remove, tlp } }) => {
      if (sample === null) return { changed: 0, leftOut: 0 };
      row({ tags: [...sample.row.tags.filter((tag) => !remove.includes(tag)), ...add] });
      if (tlp !== undefined)
        sample = {
          ...sample,
          tlps: [
            ...sample.tlps.filter(({ source }) => source !== 'own'),
            ...(tlp === null ? [] : [{ level: tlp, source: 'own' as const }]),
          ],
        };
      return { changed: 1, leftOut: 0 };
    },
    'library.note': ({ text }) => {
      if (sample !== null) sample = { ...sample, note: { text, changed: '2026-11-18T14:30:00.000Z' } };
      return {};
    },
    ...answers,
  });
  const user = userEvent.setup();
  const onBack = vi.fn();
  const client = createQueryClient();
  const { unmount } = render(
    <TestProviders
      bridge={bridge}
      client={client}
      features={[DownloadsProvider, LastAnswerProvider, LookupStoreProvider, PaletteProvider, ScanStoreProvider]}
    >
      <CurrentView />
      <LastAnswered />
      <SamplePage hash={sha256} onBack={onBack} />
    </TestProviders>,
  );
  return { bridge, client, user, onBack, unmount };
}

/** Where the page led to. */
function CurrentView() {
  const { currentView } = useNavigation();
  return <p data-testid="view">{currentView}</p>;
}

/** What the status bar shows of the service that was asked last. */
function LastAnswered() {
  const { lastAnswer } = useLastAnswer();
  return (
    <p data-testid="last-answer">
      {lastAnswer !== null && `${lastAnswer.workspaceId}: ${lastAnswer.failure?.kind ?? 'none'}`}
    </p>
  );
}
