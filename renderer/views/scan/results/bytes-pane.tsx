import { useMemo, useState } from 'react';
import type { ByteSource } from '../../../../shared/domain/byte-view.ts';
import type { ScannedFile } from '../../../../shared/domain/scan.ts';
import { useScanPlace } from '../../../app/scans/scan-places.tsx';
import { useSettings } from '../../../app/use-settings.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { CursorFacts } from '../../../components/hex/cursor-facts.tsx';
import type { ByteSpan } from '../../../components/hex/hex-mark.ts';
import { HexView } from '../../../components/hex/hex-view.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './bytes.module.css';
import { MatchLanes } from './match-lanes.tsx';
import { MatchList } from './match-list.tsx';
import type { ShownMatch } from './shown-hits.ts';
import { text } from './text.ts';
import type { ShownFile } from './use-shown-file.ts';

const none: readonly ShownMatch[] = [];

/** Where the rules matched along the file, and the bytes there. Without a rule: the bytes alone. */
export function BytesPane({
  jobId,
  shown: { file, ...rest },
  toBytes,
}: {
  jobId: number;
  shown: ShownFile;
  toBytes(): void;
}) {
  const source = useMemo((): ByteSource => ({ kind: 'scan', jobId, position: file.position }), [jobId, file.position]);
  const { sizeBytes, error } = useFileSize(source, file);
  if (error !== null)
    return (
      <div className={layout.inset}>
        <ReadFailure failure={error} of="bytes.read" />
      </div>
    );
  return sizeBytes === null ? null : (
    <BytesOf key={file.position} jobId={jobId} source={source} sizeBytes={sizeBytes} toBytes={toBytes} {...rest} />
  );
}

/** As the scan has it; else the bytes themselves are asked. */
function useFileSize(source: ByteSource, { sizeBytes }: ScannedFile) {
  const { data, error } = useOperation(
    'bytes.read',
    { source, window: { offset: 0, length: 1 } },
    { enabled: sizeBytes === null },
  );
  return { sizeBytes: sizeBytes ?? data?.sizeBytes ?? null, error: sizeBytes === null ? error : null };
}

interface BytesOfProps extends Omit<ShownFile, 'file'> {
  jobId: number;
  source: ByteSource;
  sizeBytes: number;
  toBytes(): void;
}

function BytesOf({ jobId, source, sizeBytes, hits, hit, matches, match, toBytes }: BytesOfProps) {
  const { values } = useSettings();
  const [, note] = useScanPlace(jobId);
  const [cursor, setCursor] = useState(() => matches[match]?.offset ?? 0);
  const [window, setWindow] = useState<ByteSpan | null>(null);
  const [goTo, setGoTo] = useState<{ offset: number; times: number }>();
  const rows = useMemo(() => matches.map((each, at) => ({ ...each, at })), [matches]);
  // Also when it is where one was already: what is pressed is shown.
  const show = (offset: number): void => setGoTo((before) => ({ offset, times: (before?.times ?? 0) + 1 }));
  const showMatch = (rule: string, at: number, offset: number): void => {
    note({ rule, match: at });
    show(offset);
  };
  return (
    <>
      {hit !== null && (
        <MatchLanes
          source={source}
          sizeBytes={sizeBytes}
          hits={hits}
          chosen={hit}
          match={match}
          window={window}
          onMatch={showMatch}
          onGoTo={show}
        />
      )}
      <div className={classNames(layout.panes, styles.bytes)}>
        <div className={layout.pane} data-pane data-bytes>
          <HexView
            source={source}
            sizeBytes={sizeBytes}
            marks={hit === null ? none : matches}
            current={match}
            onCurrent={(at) => hit !== null && note({ rule: hit.rule, match: at })}
            goTo={goTo}
            onCursor={setCursor}
            onWindow={setWindow}
            letters={values.singleLetterKeys}
          />
        </div>
        <div className={classNames(layout.stack, styles.beside)} data-pane data-matches>
          {hit !== null && (
            <MatchList
              hit={hit}
              matches={rows}
              current={match}
              onChoose={({ at, offset }) => showMatch(hit.rule, at, offset)}
              onOpen={toBytes}
            />
          )}
          {sizeBytes > 0 && (
            <section
              className={classNames(layout.stack6, layout.bottom, layout.inset, styles.cursor)}
              aria-label={text.atCursor}
            >
              <h2 className={typography.title}>{text.atCursor}</h2>
              <CursorFacts source={source} sizeBytes={sizeBytes} offset={Math.min(cursor, sizeBytes - 1)} />
            </section>
          )}
        </div>
      </div>
    </>
  );
}
