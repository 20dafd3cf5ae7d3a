import type { Job } from '../../../../shared/domain/job.ts';
import { lookedWords } from '../../../../shared/domain/scan-format.ts';
import { useScanPlace } from '../../../app/scans/scan-places.tsx';
import { SampleName } from '../../../components/sample-name.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './file.module.css';
import { FileFacts } from './file-facts.tsx';
import { shortHash } from './group-line.tsx';
import { HitList } from './hit-list.tsx';
import { RuleFacts } from './rule-facts.tsx';
import { text } from './text.ts';
import { isWithoutHits, rulesOf, type ShownFile } from './use-shown-file.ts';
import { WhereScanned } from './where-scanned.tsx';

const longestName = 36;
/** Where it is alone in its pane, and where a list of files is above it. */
const rowsSeen = { alone: 8, below: 2.5 } as const;

export interface FileSideProps {
  job: Job;
  shown: ShownFile;
  /** From the list of its rules to its bytes. */
  onOpen(): void;
}

/** A file in words: the rules that hit it, where it was scanned, and the rule that is shown. */
export function FileSide({ job, shown, onOpen }: FileSideProps) {
  const { file, hits, hit } = shown;
  const [, note] = useScanPlace(job.id);
  const isAlone = job.items === 1;
  const muted = hits.filter(({ mute }) => mute !== null).length;
  const lost = hits.filter(({ news }) => news === 'lost').length;
  const found = hits.length - muted - lost;
  return (
    <section
      className={isAlone ? classNames(layout.stack, layout.grow, styles.alone) : classNames(layout.stack, styles.below)}
      data-pane
      data-file
      aria-label={text.file(file.name ?? file.sha256.slice(0, shortHash))}
    >
      {!isAlone && (
        <h2 className={styles.fileName}>
          {file.name === null ? (
            <code>{file.sha256.slice(0, shortHash)}</code>
          ) : (
            <SampleName name={file.name} longest={longestName} />
          )}
        </h2>
      )}
      {hits.length + file.results.length > 0 && (
        <p className={classNames(layout.spreadRow, typography.note, styles.hitsHead)} role="status" data-figures>
          <strong>
            {found > 0
              ? text.rulesHit(found)
              : isWithoutHits(job, shown) || muted + lost > 0
                ? text.noHits(lookedWords(job, rulesOf(file)))
                : text.notKnown}
          </strong>
          <span>{[...(lost > 0 ? [text.lost(lost)] : []), ...(muted > 0 ? [text.muted(muted)] : [])].join(', ')}</span>
        </p>
      )}
      <HitList
        hits={hits}
        chosen={hit?.rule ?? null}
        rows={isAlone ? rowsSeen.alone : rowsSeen.below}
        onChoose={({ rule }) => rule !== hit?.rule && note({ rule, match: 0 })}
        onOpen={onOpen}
      />
      <WhereScanned file={file} />
      {hit !== null && <RuleFacts file={file} hit={hit} workspaceId={job.workspaceId} />}
      <FileFacts file={file} />
    </section>
  );
}
