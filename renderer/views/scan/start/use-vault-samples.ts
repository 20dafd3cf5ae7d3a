import { useMemo, useRef, useState } from 'react';
import type { VaultSample } from '../../../../shared/domain/scan.ts';
import { type Failure, type Result, success } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import type { StoredTicks } from '../../../components/data-grid/use-stored-ticks.ts';
import { mostSamples, useNextScan, useScanStore } from '../../../features/scans/scan-store.tsx';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../../state/row-windows.ts';

type SampleWindow = RowWindow<VaultSample>;

/** As many as one call reads. */
const page = 1000;

export interface VaultTicks {
  windows: RowWindows<SampleWindow>;
  ticks: StoredTicks<VaultSample, string>;
  /** More were to be ticked than a scan takes. */
  isCut: boolean;
  /** Why samples that were to be ticked or unticked could not be read. */
  unread: Failure | null;
  untickAll(): void;
}

/**
 * The samples of the vault that have every word of `find`, and which samples are ticked, in this list or in another
 * one.
 */
export function useVaultSamples(workspaceId: string, find: string): VaultTicks {
  const { next } = useScanStore();
  const [{ samples }, note] = useNextScan(workspaceId);
  /** The words whose samples were all ticked last. */
  const [allOf, setAllOf] = useState<string | null>(null);
  const [isCut, setCut] = useState(false);
  const [unread, setUnread] = useState<Failure | null>(null);
  const asked = useRef(0);
  const source = useSource(find);
  const windows = useRowWindows(source);
  const tick = (keys: readonly string[], isTicked: boolean): void => {
    setCut(next.tick(workspaceId, keys, isTicked) > 0);
  };
  const tickAll = async (isTicked: boolean): Promise<void> => {
    asked.current += 1;
    const mine = asked.current;
    const total = windows.total ?? 0;
    const read = await readSamples(source, 0, Math.min(total, mostSamples) - 1);
    // Somebody ticked something else meanwhile.
    if (mine !== asked.current) return;
    setUnread(read.ok ? null : read.failure);
    if (!read.ok) return;
    tick(
      read.value.map(({ sha256 }) => sha256),
      isTicked,
    );
    if (isTicked && total > mostSamples) setCut(true);
    setAllOf(isTicked ? find : null);
  };
  const rowsBetween = async (first: number, last: number): Promise<VaultSample[]> => {
    const read = await readSamples(source, first, last);
    setUnread(read.ok ? null : read.failure);
    return read.ok ? read.value : [];
  };
  const state = samples.size === 0 ? 'none' : allOf === find ? 'all' : 'some';
  return {
    windows,
    isCut,
    unread,
    ticks: {
      isTicked: ({ sha256 }) => samples.has(sha256),
      state,
      onTick: (keys, isTicked) => {
        asked.current += 1;
        if (!isTicked) setAllOf(null);
        setUnread(null);
        tick(keys, isTicked);
      },
      onTickAll: (isTicked) => void tickAll(isTicked),
      rowsBetween,
    },
    untickAll: () => {
      asked.current += 1;
      setAllOf(null);
      setCut(false);
      setUnread(null);
      note({ samples: new Set() });
    },
  };
}

function useSource(find: string): RowSource<SampleWindow> {
  const bridge = useBridge();
  return useMemo(
    () => ({
      name: 'samples.inVault',
      question: { find },
      read: async (offset, limit) => {
        const answer = await bridge.call('samples.inVault', { find, offset, limit });
        return answer.ok ? success({ rows: answer.value.samples, total: answer.value.total }) : answer;
      },
    }),
    [bridge, find],
  );
}

/** Both ends included; all of them or none. */
async function readSamples(
  { read }: RowSource<SampleWindow>,
  first: number,
  last: number,
): Promise<Result<VaultSample[]>> {
  const rows: VaultSample[] = [];
  for (let offset = first; offset <= last; offset += page) {
    const answer = await read(offset, Math.min(page, last - offset + 1));
    if (!answer.ok) return answer;
    if (answer.value.rows.length === 0) break;
    rows.push(...answer.value.rows);
  }
  return success(rows);
}
