import { useEffect, useMemo, useState } from 'react';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../components/data-grid/grid-column.ts';
import { allRows, isTicked, type RowSelection } from '../../components/data-grid/row-selection.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './comment-there.module.css';
import { useServerActions } from '../../features/servers/server-actions.tsx';
import { text as serversText } from '../../features/servers/strings.ts';
import {
  type Draft,
  isOver,
  type Posting,
  type PostingOutcome,
  type PostingWay,
  usePosting,
} from './draft-context.tsx';
import { text } from './strings.ts';

type PostingRow = Posting & { outcome?: PostingOutcome | undefined };

const columns: readonly GridColumn<PostingRow>[] = [
  {
    id: 'file',
    title: text.thereColumns.file,
    width: { flex: 1, min: 130 },
    isRowHeader: true,
    cell: ({ name }) => <SampleName name={name} />,
  },
  {
    id: 'text',
    title: text.thereColumns.text,
    width: { flex: 2, min: 160 },
    cell: ({ text: words }) => <bdi className={typography.muted}>{visibleText(words)}</bdi>,
  },
  {
    id: 'outcome',
    title: text.thereColumns.outcome,
    width: 124,
    cell: ({ outcome }) => outcome && <OutcomeText outcome={outcome} />,
  },
];

/**
 * What would have gone along with samples that are known already: as a comment on each, or added to its record where a
 * repository has no comments and lets records be changed.
 */
export function CommentThere({ draft, comment, onClose }: { draft: Draft; comment: string; onClose(): void }) {
  const known = useKnownFiles(draft);
  const { way, isImpossible } = usePostingWay(draft.workspace.id);
  const words = text.ways[way];
  const { outcomes, isRunning, planned, post, stop } = usePosting(
    { workspaceId: draft.workspace.id, way },
    draft.posted,
  );
  const [selection, setSelection] = useState<RowSelection<number>>(allRows);
  const postings = usePostings(known, comment);
  const worded = postings.filter((posting) => posting.text !== '');
  const chosen = worded.filter(
    (posting) => isTicked(selection, posting.id) && !isOver(outcomes.get(posting.id), posting),
  );
  const hasBegun = outcomes.size > 0;
  return (
    <Dialog
      title={words.title}
      isOpen
      wide
      onClose={isRunning ? stop : onClose}
      actions={
        <>
          {isRunning ? (
            <Button onPress={stop}>{text.stop}</Button>
          ) : (
            <Button onPress={onClose} takesFocus>
              {hasBegun ? text.close : text.notPosted}
            </Button>
          )}
          {(isRunning || !hasBegun || chosen.length > 0) && (
            <Button
              look="primary"
              isDisabled={isImpossible || isRunning || chosen.length === 0}
              onPress={() => post(chosen)}
            >
              {words.post(chosen.length)}
            </Button>
          )}
        </>
      }
    >
      <p className={classNames(typography.note, styles.then)}>{words.then(visibleText(draft.workspace.name))}</p>
      {isImpossible && (
        <Notice meaning="info" title={serversText.noComments}>
          {text.thereImpossible}
        </Notice>
      )}
      {known.kind === 'reading' && <p role="status">{text.thereReading}</p>}
      {known.kind === 'failed' && <FailureNotice failure={known.failure} />}
      {known.kind === 'read' && worded.length === 0 && <Notice meaning="info" title={text.thereNothing} />}
      {worded.length > 0 && (
        <PostingTable
          postings={worded}
          outcomes={outcomes}
          selection={selection}
          onSelect={isRunning ? undefined : setSelection}
        />
      )}
      {postings.length > worded.length && worded.length > 0 && (
        <p className={classNames(typography.note, styles.then)}>{text.thereSkipped(postings.length - worded.length)}</p>
      )}
      <p role="status" className={classNames(typography.note, styles.then)} data-figures>
        {hasBegun && formatProgress([...outcomes.values()], { isRunning, planned, way })}
      </p>
    </Dialog>
  );
}

/** `isImpossible`: the repository takes neither comments nor changes to its records. */
function usePostingWay(workspaceId: string): { way: PostingWay; isImpossible: boolean } {
  const { isAbsent, isUsable } = useServerActions(workspaceId);
  const way = isAbsent('addcomment') && isUsable('updatefile') ? 'record' : 'comment';
  return { way, isImpossible: way === 'comment' && isAbsent('addcomment') };
}

function usePostings(known: KnownFiles, comment: string): Posting[] {
  return useMemo(
    () =>
      (known.kind === 'read' ? known.files : []).map(({ id, name, md5, ...facts }) => ({
        id,
        name,
        md5: md5 ?? '',
        comment,
        tags: sentTags(facts),
        text: postedText(comment, facts),
      })),
    [known, comment],
  );
}

interface PostingTableProps {
  postings: readonly Posting[];
  outcomes: ReadonlyMap<number, PostingOutcome>;
  selection: RowSelection<number>;
  onSelect: ((selection: RowSelection<number>) => void) | undefined;
}

function PostingTable({ postings, outcomes, selection, onSelect }: PostingTableProps) {
  const [currentId, setCurrentId] = useState<number | null>(null);
  const current = postings.find(({ id }) => id === currentId) ?? postings[0];
  const failure = current && outcomes.get(current.id)?.failure;
  const rows = useMemo(
    () => postings.map((posting): PostingRow => ({ ...posting, outcome: outcomes.get(posting.id) })),
    [postings, outcomes],
  );
  return (
    <>
      <div className={classNames(layout.stack, styles.table)}>
        <DataGrid
          label={text.thereTable}
          columns={columns}
          count={rows.length}
          rowAt={(index) => rows[index]}
          keyOf={({ id }) => id}
          selection={selection}
          {...(onSelect === undefined ? {} : { onSelect })}
          onCurrent={({ id }) => setCurrentId(id)}
          letters={false}
        />
      </div>
      {current && (
        <figure className={styles.whole}>
          <figcaption>
            {text.thereFull} <SampleName name={current.name} />
          </figcaption>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
          <pre tabIndex={0}>{visibleText(current.text)}</pre>
        </figure>
      )}
      {failure && <FailureNotice failure={failure} />}
    </>
  );
}

function OutcomeText({ outcome: { state, failure } }: { outcome: PostingOutcome }) {
  const why = failure === null ? null : sentenceFor(failure);
  return <span title={why === null ? undefined : visibleText(`${why.what}. ${why.then}`)}>{text.outcomes[state]}</span>;
}

function formatProgress(
  outcomes: readonly PostingOutcome[],
  { isRunning, planned, way }: { isRunning: boolean; planned: number; way: PostingWay },
): string {
  const settled = outcomes.filter(({ state }) => state !== 'sending');
  if (isRunning) return text.thereProgress(settled.length, planned);
  return text.ways[way].end(settled.filter(({ state }) => state === 'sent').length, planned);
}

/**
 * What is posted as a comment where a sample is known already: the comment, and its tags and TLP as a line. "" when
 * there is nothing to say.
 */
export function postedText(comment: string, { tags, tlp }: Pick<UploadFile, 'tags' | 'tlp'>): string {
  const words = sentTags({ tags, tlp });
  return [comment.trim() === '' ? '' : comment, words.length === 0 ? '' : text.tagsLine(words.join(', '))]
    .filter((part) => part !== '')
    .join('\n');
}

const sentTags = ({ tags, tlp }: Pick<UploadFile, 'tags' | 'tlp'>): string[] => [
  ...tags,
  ...(tlp === null ? [] : [`tlp:${tlp}`]),
];

type KnownFiles =
  { kind: 'reading' } | { kind: 'failed'; failure: Failure } | { kind: 'read'; files: readonly UploadFile[] };

const atOnce = 1000;

/** The files of a draft that the repository has already, ticked or not; all that was done before is in them. */
function useKnownFiles({ workspace: { id: workspaceId }, writes }: Draft): KnownFiles {
  const bridge = useBridge();
  const [known, setKnown] = useState<KnownFiles>({ kind: 'reading' });
  useEffect(() => {
    let isClosed = false;
    const read = async (): Promise<KnownFiles> => {
      const files: UploadFile[] = [];
      for (let offset = 0, total = 1; offset < total && !isClosed; offset += atOnce) {
        const since = writes.answered;
        const answer = await bridge.call('uploads.files', { workspaceId, offset, limit: atOnce });
        if (!answer.ok) return { kind: 'failed', failure: answer.failure };
        total = answer.value.total;
        files.push(
          ...answer.value.files
            .filter(({ presence, md5 }) => presence === 'there' && md5 !== null)
            .map((file) => writes.shown(file, since)),
        );
      }
      return { kind: 'read', files };
    };
    void read().then((now) => isClosed || setKnown(now));
    return () => {
      isClosed = true;
    };
  }, [bridge, workspaceId, writes]);
  return known;
}
