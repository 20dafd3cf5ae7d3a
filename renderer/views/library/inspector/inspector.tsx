import { Plus, RotateCcw, ShieldCheck, TriangleAlert, X } from 'lucide-react';
import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useState } from 'react';
import type { LibraryRow, LibrarySample } from '../../../../shared/domain/library.ts';
import { isTlpUnknown } from '../../../../shared/domain/tag.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { success } from '../../../../shared/failure.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { ByteStripBar } from '../../../components/byte-strip.tsx';
import { CopyIcon } from '../../../components/copy-button.tsx';
import { noRows } from '../../../components/data-grid/row-selection.ts';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { formatExactSize } from '../../../components/format.ts';
import { KeyCap } from '../../../components/key-cap.tsx';
import { orderedTags, SampleName, TagChip } from '../../../components/service-text.tsx';
import { SeverityWord } from '../../../components/severity.tsx';
import { TlpLabel } from '../../../components/tlp-select.tsx';
import { actionTarget } from '../../../features/library/action-target.ts';
import { TagList, TagPopover } from '../../../features/library/tag-popover.tsx';
import { Value } from '../../../features/library/value-menu.tsx';
import { leastInspector, mostInspector } from '../../../memory/layouts.ts';
import { useRested } from '../../../state/pacing.ts';
import { useWorkspaces } from '../../../state/workspaces.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../strings.ts';
import { LastComment, Note, RuleHits } from './inspector-parts.tsx';
import styles from './inspector.module.css';

/** A held key passes rows without reading them. */
const readRestMs = 150;
interface InspectorProps {
  row: LibraryRow;
  onOpen(row: LibraryRow): void;
  onFetch(row: LibraryRow): void;
  onHide(): void;
}

/** What is on the row, which stays the same when the rest comes. */
const parts = { Facts: memo(Facts), Hashes: memo(Hashes), Tags: memo(Tags) };

/** The current row, read closer. What is on the row is shown at once, the rest when one rests on it. */
export function Inspector({ row: noted, onOpen, onFetch, onHide }: InspectorProps) {
  const rested = useRested(noted.hash, readRestMs);
  const { data, error } = useOperation('library.sample', { hash: rested }, { enabled: rested === noted.hash });
  const sample = data !== undefined && isOf(data, noted) ? data : null;
  const row = sample?.row ?? noted;
  return (
    <>
      <header className={classNames(layout.row8, layout.top, styles.head)}>
        <h2
          className={classNames(typography.cut, layout.grow, typography.heading)}
          title={row.name === null ? undefined : visibleText(row.name)}
        >
          {row.name === null || row.name === '' ? (
            <span className={typography.faint}>{text.unnamed}</span>
          ) : (
            <SampleName name={row.name} />
          )}
        </h2>
        <Button size="small" onPress={() => onOpen(row)}>
          {text.open}
          <KeyCap>{text.openKey}</KeyCap>
        </Button>
        <IconButton label={text.hideInspector} onPress={onHide}>
          <X size={14} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
      </header>
      <div className={styles.body} key={row.md5 ?? row.hash}>
        {error !== null && rested === noted.hash && <ReadFailure failure={error} of="library.sample" />}
        {row.sha256 !== null && row.vault === 'held' && (
          <Strip sha256={rested === noted.hash ? row.sha256 : null} sizeBytes={row.sizeBytes} />
        )}
        <parts.Facts row={row} onFetch={onFetch} />
        <parts.Hashes row={row} />
        <parts.Tags row={row} />
        {sample !== null && sample.row.sha256 !== null && sample.row.hits > 0 && (
          <RuleHits sha256={sample.row.sha256} />
        )}
        {sample !== null && sample.note !== null && <Note note={sample.note} />}
        {sample !== null && sample.row.md5 !== null && sample.row.comments > 0 && (
          <LastComment md5={sample.row.md5} count={sample.row.comments} />
        )}
      </div>
    </>
  );
}

/** Also when its SHA-256 became known after the row was read. */
const isOf = ({ row }: LibrarySample, noted: LibraryRow): boolean =>
  row.hash === noted.hash || (noted.sha256 === null && row.md5 === noted.hash);

/** The class of the bytes as hue, their entropy as height, from the first byte to the last. */
function Strip({ sha256, sizeBytes }: { sha256: string | null; sizeBytes: number | null }) {
  const { data } = useOperation(
    'library.previews',
    { sha256s: [sha256 ?? ''] },
    { enabled: sha256 !== null, staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <section className={classNames(layout.insetLine, styles.part)}>
      <ByteStripBar strip={data?.previews[0]?.strip ?? null} size="inspector" />
      <p className={classNames(layout.between, typography.monoCaption, styles.ends)}>
        <span>0</span>
        {sizeBytes !== null && <span>{`0x${sizeBytes.toString(16)}`}</span>}
      </p>
    </section>
  );
}

function Facts({ row, onFetch }: { row: LibraryRow; onFetch(row: LibraryRow): void }) {
  const workspaceId = useWorkspaces().current?.id ?? '';
  return (
    <section className={classNames(layout.insetLine, styles.part)}>
      <dl className={classNames(layout.stack8, typography.facts)}>
        <Fact title={text.state}>
          <VaultState row={row} onFetch={onFetch} />
        </Fact>
        <Fact title={text.type}>
          {row.type === null ? (
            <Unknown />
          ) : (
            <Value field="type" value={row.type} workspaceId={workspaceId}>
              <bdi>{visibleText(row.type)}</bdi>
            </Value>
          )}
        </Fact>
        <Fact title={text.size}>
          {row.sizeBytes === null ? <Unknown /> : <span data-figures>{formatExactSize(row.sizeBytes)}</span>}
        </Fact>
        <Fact title={text.tlpFact}>
          <Tlp row={row} />
        </Fact>
        {row.severity !== null && (
          <Fact title={text.columns.severity}>
            <SeverityWord level={row.severity} />
          </Fact>
        )}
        {row.threat !== null && (
          <Fact title={text.threat}>
            <Value field="threat" value={row.threat} workspaceId={workspaceId}>
              <bdi>{visibleText(row.threat)}</bdi>
            </Value>
          </Fact>
        )}
      </dl>
    </section>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={classNames(layout.grid8, styles.fact)}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

function Tlp({ row }: { row: LibraryRow }) {
  if (row.tlp !== null) return <TlpLabel level={row.tlp} />;
  return <span className={typography.faint}>{isTlpUnknown(row) ? text.tlpUnknown : text.none}</span>;
}

const Unknown = () => <span className={typography.faint}>{text.unknown}</span>;

function VaultState({ row, onFetch }: { row: LibraryRow; onFetch(row: LibraryRow): void }) {
  const { vault } = row;
  if (vault === 'none') return <span className={typography.faint}>{text.states.none}</span>;
  if (vault === 'held')
    return (
      <span className={classNames(layout.inline4, typography.ok, styles.held)}>
        <ShieldCheck size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.states.held}
      </span>
    );
  return (
    <span className={layout.wrapRow}>
      <span className={classNames(layout.inline4, typography.bad, styles.held)}>
        <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.states[vault]}
      </span>
      <Button size="small" onPress={() => onFetch(row)}>
        <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.fetch}
      </Button>
    </span>
  );
}

function Hashes({ row }: { row: LibraryRow }) {
  const hashes = [
    [text.sha256, row.sha256],
    [text.sha1, row.sha1],
    [text.md5, row.md5],
  ] as const;
  return (
    <section className={classNames(layout.insetLine, styles.part)}>
      <h3 className={typography.title}>{text.hashes}</h3>
      <dl className={classNames(typography.facts, styles.hashes)}>
        {hashes.map(([kind, hash]) => (
          <div key={kind} className={classNames(layout.grid8, styles.hashLine)}>
            <dt>{kind}</dt>
            <dd className={classNames(typography.cut, typography.code)}>
              {hash === null ? <Unknown /> : <code title={hash}>{hash}</code>}
            </dd>
            {hash !== null && (
              <dd>
                <CopyIcon text={hash} label={text.copyHash(kind)} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}

function Tags({ row }: { row: LibraryRow }) {
  const workspaceId = useWorkspaces().current?.id ?? '';
  const target = actionTarget({ terms: [], total: 1, selection: noRows, current: row });
  const trigger = (
    <IconButton label={text.addTag} isDisabled={row.sha256 === null}>
      <Plus size={14} strokeWidth={1.6} aria-hidden="true" />
    </IconButton>
  );
  return (
    <section className={classNames(layout.insetLine, styles.part)}>
      <div className={classNames(layout.spreadRow, styles.titleLine)}>
        <h3 className={typography.title}>{text.tagsTitle}</h3>
        <TagPopover count={target.count} trigger={trigger}>
          <TagList count={target.count} target={async () => success(target)} one={row} />
        </TagPopover>
      </div>
      {row.tags.length + row.serviceTags.length === 0 ? (
        <p className={typography.faint}>{text.noTags}</p>
      ) : (
        <p className={classNames(layout.wrap4, styles.tags)}>
          {orderedTags(row.tags, row.serviceTags).map(({ tag, isForeign }) => (
            <Value
              key={`${isForeign ? 'service' : 'own'} ${tag}`}
              field="tag"
              value={tag}
              workspaceId={workspaceId}
              isLocal={!isForeign}
              isChip
            >
              <TagChip tag={tag} isForeign={isForeign} />
            </Value>
          ))}
        </p>
      )}
    </section>
  );
}

interface InspectorPaneProps {
  /** CSS pixels. */
  width: number;
  onWidth(width: number): void;
  children: ReactNode;
}

/** By one press of an arrow key. */
const step = 16;
const within = (width: number): number => Math.round(Math.max(leastInspector, Math.min(mostInspector, width)));

/**
 * At the right of the table; its edge is dragged, or moved by the arrow keys. Over the table if there is no space
 * beside it.
 */
export function InspectorPane({ width, onWidth, children }: InspectorPaneProps) {
  // While it is dragged it is kept nowhere.
  const [dragged, drag] = useState<{ from: number; width: number } | null>(null);
  const shown = dragged?.width ?? width;
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag({ from: event.clientX + width, width });
  };
  const onPointerUp = (): void => {
    if (dragged !== null) onWidth(dragged.width);
    drag(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = widthForKey(event.key, width);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(within(to));
  };
  return (
    <aside
      className={classNames(layout.stack, styles.pane)}
      style={{ width: shown }}
      aria-label={text.inspector}
      data-pane
    >
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={text.inspectorWidth}
        aria-valuenow={shown}
        aria-valuemin={leastInspector}
        aria-valuemax={mostInspector}
        tabIndex={0}
        className={styles.edge}
        onPointerDown={onPointerDown}
        onPointerMove={({ clientX }) => dragged !== null && drag({ ...dragged, width: within(dragged.from - clientX) })}
        onPointerUp={onPointerUp}
        onPointerCancel={() => drag(null)}
        onKeyDown={onKeyDown}
      />
      {children}
    </aside>
  );
}

function widthForKey(key: string, width: number): number | null {
  if (key === 'ArrowLeft') return width + step;
  if (key === 'ArrowRight') return width - step;
  if (key === 'Home') return leastInspector;
  return key === 'End' ? mostInspector : null;
}
