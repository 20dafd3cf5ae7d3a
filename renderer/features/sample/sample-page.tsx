import { ArrowLeft, SearchX } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OperationInput } from '../../../shared/contract.ts';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useLate } from '../../components/use-late.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { keys } from '../../keyboard/keys.ts';
import { isTyping, useLetterButtons } from '../../keyboard/view-keys.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Conversation } from '../comments/conversation.tsx';
import { useLookupStore } from '../lookup/lookup-store.tsx';
import { type SampleScan, useSampleScan } from '../scans/start-scan.ts';
import { BytesPart, BytesView, NoBytes, type ShownBytes, useMatchMarks, useShownBytes } from './bytes-part.tsx';
import { Headline } from './headline.tsx';
import { HistoryPart } from './history-part.tsx';
import { HitsPart, ScansPart } from './hits-part.tsx';
import { NotePart } from './note-part.tsx';
import { focusPart, HashesPart, NamesPart, PartHead } from './parts.tsx';
import { FurtherFields, type LookupState, RecordPart } from './record-part.tsx';
import { SampleActions } from './sample-actions.tsx';
import styles from './sample.module.css';
import { recordToShow, type CurrentSample, useSample } from './shown-sample.ts';
import { text } from './strings.ts';
import { TagsPart } from './tags-part.tsx';
import { type Source, VerdictLine } from './verdict-line.tsx';

interface SamplePageProps {
  /** Any of its hashes. */
  hash: string;
  /** To where one came from: asked for by the button, and by Escape. */
  onBack(): void;
}

/** All that this computer knows of one sample. Asks no service by itself. */
export function SamplePage({ hash, onBack }: SamplePageProps) {
  const view = useRef<HTMLDivElement>(null);
  const scan = useSampleScan();
  const { currentSample, failure, readAgain } = useSample(hash);
  const isGone = failure?.kind === 'not-in-library';
  const isLate = useLate(currentSample === null && failure === null);
  useKeptFocus(view);
  const onKeyDown = useLetterButtons(view, (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isTyping(event)) onBack();
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of the buttons inside
    <div ref={view} className={layout.fill} onKeyDown={onKeyDown}>
      <ViewHead title={text.title} isLanding wrapsBelow={800}>
        <Button look="quiet" onPress={onBack}>
          <ArrowLeft size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.back}
        </Button>
        <ViewLine role="status">{isLate && text.reading}</ViewLine>
        {currentSample !== null && !isGone && <SampleActions currentSample={currentSample} scan={scan} />}
      </ViewHead>
      {isGone && <Gone hash={hash} />}
      {failure !== null && !isGone && currentSample === null && (
        <div className={classNames(layout.insetLine, styles.part)}>
          <FailureNotice failure={failure} retry={{ name: 'library.sample', input: { hash } }} onRetry={readAgain} />
        </div>
      )}
      {currentSample !== null && !isGone && (
        <SampleBody
          key={hash}
          currentSample={currentSample}
          hash={hash}
          given={null}
          asked={null}
          scan={scan}
          failure={failure}
          onReadAgain={readAgain}
        />
      )}
    </div>
  );
}

function Gone({ hash }: { hash: string }) {
  const { lookUpText } = useLookupStore();
  const { openView } = useNavigation();
  const lookUp = (): void => {
    lookUpText(hash);
    openView('lookup');
  };
  return (
    <EmptyState
      icon={<SearchX size={20} strokeWidth={1.6} />}
      title={text.goneTitle}
      sentence={text.goneSentence}
      action={
        <Button look="primary" onPress={lookUp}>
          {text.lookUpAgain}
        </Button>
      }
    />
  );
}

interface SampleBodyProps {
  currentSample: CurrentSample;
  /** Any of its hashes. */
  hash: string;
  /** The one that a person looked up; null: it was opened in the library. */
  given: string | null;
  /** The one that its service was asked with; null: none was. */
  asked: string | null;
  scan: SampleScan;
  /** Why what this computer knows of it cannot be read. */
  failure: Failure | null;
  onReadAgain(): void;
  /** null: it was opened in the library. */
  lookup?: LookupState | null;
  /** Content above all of it. */
  above?: ReactNode;
}

/**
 * All that this computer and its services know of one sample, and what is said of it. Give it a `key` of the sample's
 * own.
 */
export function SampleBody(props: SampleBodyProps) {
  const { currentSample, hash, above } = props;
  const { sample, workspaceId } = currentSample;
  const marks = useMatchMarks(currentSample);
  const bytes = useShownBytes(marks);
  const [chosen, choose] = useState<string | null>(null);
  const held = sample.vault === 'held' ? sample.sha256 : null;
  const source = useMemo((): ByteSource | null => (held === null ? null : { kind: 'vault', sha256: held }), [held]);
  const pane = useRef<HTMLDivElement>(null);
  const focusToggle = (): void =>
    pane.current?.querySelector<HTMLElement>(`button[data-letter="${keys.sample.bytes.keys}"]`)?.focus();
  const isOpen = bytes.isOpen && source !== null && sample.sizeBytes !== null;
  // Its button is another one then: above the bytes, or in its place on the page.
  useChanged(isOpen, focusToggle);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !bytes.isOpen) return;
    event.preventDefault();
    bytes.close();
  };
  const leadTo = ({ part, workspaceId: whose }: Source): void => {
    // The part is there only when it is drawn: the bytes may be in its place.
    flushSync(() => {
      if (whose !== undefined) choose(whose);
      if (bytes.isOpen) bytes.close();
    });
    focusPart(part);
  };
  const ofRecord = sample.records.find((record) => record.workspaceId === workspaceId)?.record.comments;
  const strip =
    source === null || sample.sizeBytes === null ? (
      <NoBytes />
    ) : (
      <BytesPart
        source={source}
        sizeBytes={sample.sizeBytes}
        marks={marks}
        window={bytes.window}
        isOpen={bytes.isOpen}
        onToggle={bytes.toggle}
        onGoTo={bytes.open}
        onMark={bytes.openMark}
      />
    );
  return (
    <div className={classNames(layout.relative, layout.panes, styles.panes)}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leads back from the bytes */}
      <div
        ref={pane}
        className={classNames(layout.relative, layout.stack, styles.sample)}
        data-pane
        onKeyDown={onKeyDown}
      >
        {above}
        <Headline currentSample={currentSample} number={props.lookup?.number ?? 0} />
        <VerdictLine currentSample={currentSample} hash={hash} onLead={leadTo} />
        {isOpen ? (
          <>
            {strip}
            <OpenBytes source={source} sizeBytes={sample.sizeBytes ?? 0} marks={marks} bytes={bytes} />
          </>
        ) : (
          <SampleFacts {...props} strip={strip} chosen={chosen} onChoose={choose} />
        )}
      </div>
      {sample.md5 === null ? (
        <p className={classNames(typography.aside, styles.noThread)}>{text.noThread}</p>
      ) : (
        <Conversation workspaceId={workspaceId} md5={sample.md5} {...(ofRecord === undefined ? {} : { ofRecord })} />
      )}
    </div>
  );
}

/** Calls back behind each change of a value, not at first. */
function useChanged(value: boolean, onChanged: () => void): void {
  const before = useRef(value);
  useLayoutEffect(() => {
    if (before.current === value) return;
    before.current = value;
    onChanged();
  });
}

interface OpenBytesProps {
  source: ByteSource;
  sizeBytes: number;
  marks: ReturnType<typeof useMatchMarks>;
  bytes: ShownBytes;
}

function OpenBytes({ source, sizeBytes, marks, bytes }: OpenBytesProps) {
  const { values } = useSettings();
  return (
    <div className={styles.hex}>
      <BytesView
        source={source}
        sizeBytes={sizeBytes}
        marks={marks}
        current={bytes.mark}
        onCurrent={bytes.setMark}
        goTo={bytes.goTo}
        onWindow={bytes.setWindow}
        letters={values.singleLetterKeys}
      />
    </div>
  );
}

interface SampleFactsProps extends SampleBodyProps {
  /** Its bytes, or their place. */
  strip: ReactNode;
  /** The workspace whose record is shown; null: none was chosen. */
  chosen: string | null;
  onChoose(workspaceId: string): void;
}

/**
 * What is known of the sample, part by part, in the order in which it is read. A part has its place before there is
 * anything in it: nothing moves when a record, a scan or the bytes come.
 */
function SampleFacts({
  currentSample,
  hash,
  given,
  asked,
  scan,
  failure,
  onReadAgain,
  lookup = null,
  strip,
  chosen,
  onChoose,
}: SampleFactsProps) {
  const { sample, workspaceId, isWhole } = currentSample;
  const { workspaces } = useWorkspaces();
  const shown = recordToShow(sample.records, chosen, workspaceId);
  const service = workspaces.find(({ id }) => id === chosen)?.id ?? workspaceId;
  // A sample that was just looked up is shown with its record, whatever the library answers a moment later.
  const notRead = failure?.kind === 'not-in-library' ? null : failure;
  return (
    <>
      {notRead !== null && (
        <div className={classNames(layout.insetLine, styles.part)}>
          <FailureNotice
            failure={notRead}
            after={text.notAllKnown}
            retry={{ name: 'library.sample', input: { hash } }}
            onRetry={onReadAgain}
          />
        </div>
      )}
      <HashesPart sample={sample} given={given} asked={asked} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <HitsPart currentSample={currentSample} hash={hash} scan={scan} />
          <TagsPart currentSample={currentSample} />
        </div>
        <RecordPart
          sample={sample}
          workspaceId={workspaceId}
          shown={shown}
          onChoose={onChoose}
          question={questionOf(lookup === null ? sample.md5 : (asked ?? sample.md5), service)}
          lookup={lookup}
        />
      </div>
      {sample.sha256 !== null && isWhole && (
        <NotePart key={sample.sha256} sha256={sample.sha256} stored={sample.note?.text ?? ''} />
      )}
      {(sample.sha256 === null || !isWhole) && failure === null && (
        <section className={classNames(layout.insetLine, styles.notePlace)} aria-labelledby="note">
          <PartHead id="note" title={text.note} />
          {sample.sha256 === null && <p className={typography.aside}>{text.noteNeedsBytes}</p>}
        </section>
      )}
      {strip}
      <NamesPart names={sample.names} />
      <ScansPart currentSample={currentSample} hash={hash} />
      <FurtherFields fields={shown?.record.unknown ?? {}} />
      <HistoryPart hash={hash} />
    </>
  );
}

const questionOf = (hash: string | null, workspaceId: string): OperationInput<'samples.lookup'> | null =>
  hash === null ? null : { workspaceId, hash };
