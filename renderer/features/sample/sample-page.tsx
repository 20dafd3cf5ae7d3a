import { ArrowLeft, SearchX } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
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
import { BytesPart, BytesView, type ShownBytes, useMatchMarks, useShownBytes } from './bytes-part.tsx';
import { Headline } from './headline.tsx';
import { HistoryPart } from './history-part.tsx';
import { HitsPart, ScansPart } from './hits-part.tsx';
import { NotePart } from './note-part.tsx';
import { HashesPart, NamesPart, PartHead } from './parts.tsx';
import { FurtherFields, RecordPart, VerdictsPart } from './record-part.tsx';
import { SampleActions } from './sample-actions.tsx';
import styles from './sample.module.css';
import { recordToShow, type CurrentSample, useSample } from './shown-sample.ts';
import { text } from './strings.ts';
import { TagsPart } from './tags-part.tsx';

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
  /** The one that its service was asked with; null: none was. */
  asked: string | null;
  scan: SampleScan;
  /** Why what this computer knows of it cannot be read. */
  failure: Failure | null;
  onReadAgain(): void;
  /** Content above all of it. */
  above?: ReactNode;
}

/**
 * All that this computer and its services know of one sample, and what is said of it. Give it a `key` of the sample's
 * own.
 */
export function SampleBody(props: SampleBodyProps) {
  const {
    currentSample: { sample, workspaceId },
    currentSample,
    above,
  } = props;
  const marks = useMatchMarks(currentSample);
  const bytes = useShownBytes(marks);
  const held = sample.vault === 'held' ? sample.sha256 : null;
  const source = useMemo((): ByteSource | null => (held === null ? null : { kind: 'vault', sha256: held }), [held]);
  const pane = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !bytes.isOpen) return;
    event.preventDefault();
    bytes.close();
    pane.current?.querySelector<HTMLElement>(`button[data-letter="${keys.sample.bytes.keys}"]`)?.focus();
  };
  const ofRecord = sample.records.find((record) => record.workspaceId === workspaceId)?.record.comments;
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
        <Headline currentSample={currentSample} />
        {source !== null && sample.sizeBytes !== null && (
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
        )}
        {source !== null && sample.sizeBytes !== null && bytes.isOpen ? (
          <OpenBytes source={source} sizeBytes={sample.sizeBytes} marks={marks} bytes={bytes} />
        ) : (
          <SampleFacts {...props} />
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

/** What is known of the sample, part by part, in the order in which it is read. */
function SampleFacts({ currentSample, hash, asked, scan, failure, onReadAgain }: SampleBodyProps) {
  const { sample, workspaceId, isWhole } = currentSample;
  const { workspaces } = useWorkspaces();
  const [chosen, choose] = useState<string | null>(null);
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
      <HashesPart sample={sample} asked={asked} />
      <NamesPart names={sample.names} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <VerdictsPart record={shown?.record ?? null} />
          <TagsPart currentSample={currentSample} />
        </div>
        <RecordPart
          records={sample.records}
          shown={shown}
          localTags={sample.tags}
          onChoose={choose}
          question={asked === null && sample.md5 !== null ? { workspaceId: service, hash: sample.md5 } : null}
        />
      </div>
      {sample.sha256 !== null && isWhole && (
        <NotePart key={sample.sha256} sha256={sample.sha256} stored={sample.note?.text ?? ''} />
      )}
      {sample.sha256 !== null && !isWhole && failure === null && (
        <section className={classNames(layout.insetLine, styles.notePlace)} aria-labelledby="note">
          <PartHead id="note" title={text.note} />
        </section>
      )}
      <HitsPart currentSample={currentSample} scan={scan} />
      <ScansPart currentSample={currentSample} hash={hash} />
      <FurtherFields fields={shown?.record.unknown ?? {}} />
      <HistoryPart hash={hash} />
    </>
  );
}
