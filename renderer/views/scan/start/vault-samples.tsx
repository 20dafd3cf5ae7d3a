import { useMemo, useRef, useState } from 'react';
import type { VaultSample } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import type { StoredTicks } from '../../../components/data-grid/row-selection.ts';
import { FailureNotice, ReadFailure } from '../../../components/failure-notice.tsx';
import { FindField } from '../../../components/find-field.tsx';
import { formatMinute, formatNumber, timeWidth } from '../../../components/format.ts';
import { Notice } from '../../../components/notice.tsx';
import { SampleName } from '../../../components/service-text.tsx';
import { mostSamples, useNextScan, useScanStore } from '../../../features/scans/scan-store.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { useRestedFind } from '../../../state/pacing.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../../state/row-windows.ts';
import { useSettings } from '../../../state/settings.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './start.module.css';
import { text } from './strings.ts';

/** As many digits as tables show. */
const shortHash = 12;

const columns: readonly GridColumn<VaultSample>[] = [
  {
    id: 'name',
    title: text.columns.name,
    width: { flex: 1, min: 120 },
    isRowHeader: true,
    cell: ({ name }) => <Name name={name} />,
  },
  {
    id: 'sha256',
    title: text.columns.sha256,
    width: 96,
    cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, shortHash)}</code>,
  },
  {
    id: 'size',
    title: text.columns.size,
    width: 88,
    align: 'end',
    leaves: 1,
    cell: ({ sizeBytes }) => formatNumber(sizeBytes),
  },
  {
    id: 'seen',
    title: text.columns.seen,
    get width() {
      return timeWidth(128);
    },
    leaves: 2,
    cell: ({ lastSeen }) => <time dateTime={lastSeen}>{formatMinute(new Date(lastSeen))}</time>,
  },
];

function Name({ name }: { name: string | null }) {
  if (name === null || name === '') return <span className={typography.faint}>{text.unnamed}</span>;
  return (
    <span className={typography.ellipsis}>
      <SampleName name={name} />
    </span>
  );
}

/** Samples of the vault to be ticked. What is ticked stays so while another search is made. */
export function VaultSamples({ workspaceId }: { workspaceId: string }) {
  const [{ find, samples, vault }, note] = useNextScan(workspaceId);
  const { values } = useSettings();
  const pane = useRef<HTMLDivElement>(null);
  const asked = useRestedFind(find);
  const { windows, ticks, isCut, unread, untickAll } = useVaultSamples(workspaceId, asked);
  const toList = (): void =>
    pane.current?.querySelector<HTMLElement>('[role=grid] [data-index][tabindex="0"]')?.focus();
  return (
    <div ref={pane} className={classNames(layout.pane, styles.what)} style={{ flex: 1 }}>
      <div className={classNames(layout.row8, layout.top, styles.paneHead)}>
        <h2 className={classNames(layout.fixed, typography.title)}>{text.vault}</h2>
        <div className={styles.find}>
          <FindField
            label={text.find}
            placeholder={text.findShort}
            value={find}
            onChange={(words) => note({ find: words })}
            onDown={toList}
          />
        </div>
        <p className={classNames(typography.note, layout.fixed)} role="status" data-figures>
          {windows.total !== null && text.vaultLine(windows.total, samples.size)}
        </p>
        {samples.size > 0 && (
          <Button size="small" look="quiet" onPress={untickAll}>
            {text.untickAll}
          </Button>
        )}
      </div>
      {isCut && (
        <div className={classNames(layout.insetLine, layout.fixed)}>
          <Notice meaning="info" title={text.ticksCut(mostSamples)} isAlert />
        </div>
      )}
      {windows.failure && (
        <div className={classNames(layout.insetLine, layout.fixed)}>
          <ReadFailure failure={windows.failure} of="samples.inVault" />
        </div>
      )}
      {unread !== null && (
        <div className={classNames(layout.insetLine, layout.fixed)}>
          <FailureNotice failure={unread} after={text.ticksStay} />
        </div>
      )}
      {/* A grid has rows alone in it, and no button. */}
      {windows.total === 0 && asked === '' ? (
        <EmptyVault />
      ) : (
        <DataGrid
          label={text.vault}
          columns={columns}
          count={windows.total ?? vault.spot.count ?? 0}
          rowAt={windows.rowAt}
          keyOf={({ sha256 }) => sha256}
          onRange={windows.onRange}
          storedTicks={ticks}
          memory={vault}
          letters={values.singleLetterKeys}
          empty={
            windows.total === 0 && (
              <p className={classNames(typography.note, layout.inset)}>{text.noneFound(visibleText(asked))}</p>
            )
          }
        />
      )}
    </div>
  );
}

type SampleWindow = RowWindow<VaultSample>;

/** As many as one call reads. */
const page = 1000;

interface VaultTicks {
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
function useVaultSamples(workspaceId: string, find: string): VaultTicks {
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
    // The person ticked something else meanwhile.
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

/** What fills the vault. */
function EmptyVault() {
  const { openView } = useNavigation();
  return (
    <div className={classNames(layout.stack8, layout.inset)}>
      <p className={typography.note}>{text.vaultEmpty}</p>
      <div className={layout.wrap8}>
        <Button size="small" onPress={() => openView('lookup')}>
          {text.openLookup}
        </Button>
        <Button size="small" onPress={() => openView('bulk-download')}>
          {text.openBulk}
        </Button>
      </div>
    </div>
  );
}
