import { CircleDashed, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { ListedComment, OwnComment } from '../../../shared/domain/comment.ts';
import { defang } from '../../../shared/domain/defang.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../components/data-grid/grid-column.ts';
import type { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { cutMiddle } from '../../components/format.ts';
import { SampleName, TimeText } from '../../components/service-text.tsx';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../state/row-windows.ts';
import { useSettings } from '../../state/settings.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './comments-view.module.css';
import { text } from './strings.ts';

const rowHeight = 68;
const longestAuthor = 32;
/** More than two lines hold. */
const charactersShown = 400;
/** As many digits as tables show. */
const shortHash = 12;

/** A local one stays the same when the service has given it a number. */
export const keyOfListed = ({ md5, comment: { id, own } }: ListedComment): string =>
  `${md5}:${own === null ? id : `own-${own.id}`}`;

const columns: readonly GridColumn<ListedComment>[] = [
  {
    id: 'comment',
    title: text.column,
    width: { flex: 1, min: 0 },
    isRowHeader: true,
    cell: (listed) => <CommentLine listed={listed} />,
  },
];

interface CommentListProps {
  windows: CommentWindows;
  chosen: ListedComment | null;
  onChoose(listed: ListedComment): void;
  /** The focus is on another comment, whose row took the place of a removed one. */
  onReplaced(listed: ListedComment): void;
  /** Enter: on to its conversation. */
  onOpen(): void;
  memory: GridMemory;
}

/** The comments of all samples, latest first. Moving to one shows its conversation. */
export function CommentList({ windows, chosen, onChoose, onReplaced, onOpen, memory }: CommentListProps) {
  const { values } = useSettings();
  return (
    <DataGrid
      label={text.list}
      columns={columns}
      count={windows.total ?? memory.spot.count ?? 0}
      rowAt={windows.rowAt}
      keyOf={keyOfListed}
      onRange={windows.onRange}
      currentKey={chosen === null ? null : keyOfListed(chosen)}
      onCurrent={onChoose}
      onReplaced={onReplaced}
      onOpen={onOpen}
      memory={memory}
      letters={values.singleLetterKeys}
      rowHeight={rowHeight}
      hasHead={false}
    />
  );
}

function CommentLine({ listed: { md5, sampleName, comment } }: { listed: ListedComment }) {
  const { author, content, created, own } = comment;
  const by = own === null ? author : text.you;
  return (
    <div className={layout.stack2}>
      <p className={layout.baseline8}>
        <span className={classNames(typography.cut, typography.name, !sampleName && styles.faint)}>
          {sampleName ? <SampleName name={sampleName} /> : text.unnamedSample}
        </span>
        <code className={classNames(typography.lighter, styles.hash)}>{md5.slice(0, shortHash)}</code>
        {own !== null && <StateWord state={own.state} />}
        {created !== null && (
          <span className={classNames(typography.lighter, styles.time)}>
            <TimeText sent={created} />
          </span>
        )}
      </p>
      <p className={styles.words} dir="auto">
        <bdi className={typography.name}>
          {by === null ? text.unnamedAuthor : visibleText(cutMiddle(by, longestAuthor))}
        </bdi>{' '}
        {defang(visibleText(content.slice(0, charactersShown)))}
      </p>
    </div>
  );
}

function StateWord({ state }: { state: OwnComment['state'] }) {
  const word = text.states[state];
  if (word === null) return null;
  const Icon = state === 'pending' ? CircleDashed : TriangleAlert;
  return (
    <span
      className={classNames(
        layout.row4,
        typography.smallNote,
        styles.state,
        state === 'failed' && styles.bad,
        state === 'may-have-arrived' && styles.warn,
      )}
    >
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {word}
    </span>
  );
}

export type CommentWindows = RowWindows<RowWindow<ListedComment>>;

/** The visible comments of a workspace, in their current state; those that hold the words of `find`. */
export function useCommentWindows(workspaceId: string, find: string): CommentWindows {
  const bridge = useBridge();
  const source = useMemo(
    (): RowSource<RowWindow<ListedComment>> => ({
      name: 'comments.list',
      question: { workspaceId, find },
      read: async (offset, limit) => {
        const answer = await bridge.call('comments.list', { workspaceId, find, offset, limit });
        return answer.ok ? success({ rows: answer.value.comments, total: answer.value.total }) : answer;
      },
    }),
    [bridge, workspaceId, find],
  );
  return useRowWindows(source);
}
