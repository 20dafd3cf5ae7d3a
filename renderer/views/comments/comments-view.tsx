import { MessagesSquare, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { ListedComment } from '../../../shared/domain/comment.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState, NoneFound } from '../../components/empty-state.tsx';
import { ReadFailure } from '../../components/failure-notice.tsx';
import { FindField } from '../../components/find-field.tsx';
import { focusIn } from '../../components/focus-in.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useCommentsPlace } from '../../features/comments/comments-place.tsx';
import { Conversation } from '../../features/comments/conversation.tsx';
import { useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useRested, useRestedFind } from '../../state/pacing.ts';
import { windowRows } from '../../state/row-windows.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { CommentList, type CommentWindows, keyOfListed, useCommentWindows } from './comment-list.tsx';
import styles from './comments-view.module.css';
import { text } from './strings.ts';

/** As many digits as tables show. */
const shortHash = 12;
/** A held key passes conversations without reading them. */
const showRestMs = 120;

/** The comments of every sample of a workspace, and the conversation of the one that is chosen. */
export function CommentsView() {
  const { current } = useWorkspaces();
  return current === null ? null : <CommentsOf key={current.id} workspaceId={current.id} />;
}

function CommentsOf({ workspaceId }: { workspaceId: string }) {
  const placed = useCommentsPlace(workspaceId);
  const [{ find, chosen, grid }, note] = placed;
  const view = useRef<HTMLDivElement>(null);
  const asked = useRestedFind(find);
  const windows = useCommentWindows(workspaceId, asked);
  const shown = useRested(chosen, showRestMs) ?? chosen;
  const chooseInstead = useFollowedComment(placed, windows, asked);
  // The button that does it goes with its reason.
  const showAll = (): void => {
    focusIn(view.current, '[data-query]');
    note({ find: '' });
  };
  const toList = (): void => void focusIn(view.current, '[role=grid] [tabindex="0"]');
  const onLetter = useLetterButtons(view);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented && isInConversation(view.current, event.target)) toList();
    else if (event.key === 'ArrowDown' && event.target instanceof HTMLHeadingElement) toList();
    else onLetter(event);
  };
  const isEmpty = windows.total === 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={layout.view} onKeyDown={onKeyDown}>
      <ViewHead title={text.title} isLanding>
        <ViewLine role="status">{windows.total !== null && !isEmpty && text.line(windows.total, asked)}</ViewLine>
        {/* A search that was just emptied has found nothing yet, and its field has the focus. */}
        {!(isEmpty && find === '' && asked === '') && (
          <FindField label={text.find} value={find} onChange={(next) => note({ find: next })} onDown={toList} />
        )}
      </ViewHead>
      {windows.failure && (
        <div className={layout.inset}>
          <ReadFailure failure={windows.failure} of="comments.list" />
        </div>
      )}
      {isEmpty && <NoComment find={asked} onShowAll={showAll} />}
      {!isEmpty && (
        <div className={classNames(layout.panes, styles.panes)}>
          <section className={classNames(layout.pane, styles.list)} data-pane aria-label={text.list}>
            <CommentList
              windows={windows}
              chosen={chosen}
              onChoose={(listed) => note({ chosen: listed })}
              onReplaced={chooseInstead}
              onOpen={() => void focusIn(view.current, '[data-thread]')}
              memory={grid}
            />
          </section>
          {shown !== null && (
            <Conversation
              workspaceId={workspaceId}
              md5={shown.md5}
              marked={shown.comment.id}
              of={shown.sampleName || shown.md5.slice(0, shortHash)}
              action={<LookUp md5={shown.md5} />}
            />
          )}
        </div>
      )}
    </div>
  );
}

/**
 * The conversation that is read stays the one that is read when a newer comment comes. @returns what takes the comment
 * that came to the place of the chosen one
 */
function useFollowedComment(
  [{ chosen, foundBy, grid }, note]: ReturnType<typeof useCommentsPlace>,
  windows: CommentWindows,
  asked: string,
): (listed: ListedComment) => void {
  const first = windows.rowAt(0) ?? null;
  useEffect(() => {
    if (chosen === null) return first === null ? undefined : note({ chosen: first });
    if (windows.isAnswered && foundBy !== asked)
      note({ foundBy: asked, chosen: asked === '' ? chosen : (foundAgain(chosen, windows) ?? chosen) });
    return undefined;
  });
  // Comments that come take no conversation from who reads it, in however long a list; one that is gone does, and the
  // focus is elsewhere.
  return (listed) => {
    if (chosen === null || !isNear(chosen, grid.spot.row, windows)) note({ chosen: listed });
  };
}

/** The comment, another one of its conversation, or else the first that was found; null: nothing was. */
function foundAgain(chosen: ListedComment, { total, rowAt }: CommentWindows): ListedComment | null {
  const found = Array.from({ length: Math.min(total ?? 0, windowRows) }, (_, index) => rowAt(index) ?? []).flat();
  return (
    found.find((each) => keyOfListed(each) === keyOfListed(chosen)) ??
    found.find(({ md5 }) => md5 === chosen.md5) ??
    found[0] ??
    null
  );
}

/** Of a long list the rows around one's place are known, and no others. */
function isNear(chosen: ListedComment, row: number, { rowAt }: CommentWindows): boolean {
  const key = keyOfListed(chosen);
  const near = Array.from({ length: 2 * windowRows }, (_, index) => rowAt(row - windowRows + index) ?? []).flat();
  return near.some((each) => keyOfListed(each) === key);
}

function LookUp({ md5 }: { md5: string }) {
  const { lookUpText } = useLookupStore();
  const { openView } = useNavigation();
  const lookUp = (): void => {
    openView('lookup');
    lookUpText(md5);
  };
  return (
    <Button size="small" look="quiet" aria-label={text.lookUpThis} onPress={lookUp}>
      <Search size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.lookUp}
    </Button>
  );
}

function NoComment({ find, onShowAll }: { find: string; onShowAll(): void }) {
  const { openView } = useNavigation();
  if (find === '') {
    return (
      <EmptyState
        icon={<MessagesSquare size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={text.emptySentence}
        action={
          <Button look="primary" onPress={() => openView('lookup')}>
            {text.emptyAction}
          </Button>
        }
      />
    );
  }
  return (
    <NoneFound
      title={text.noneTitle}
      sentence={text.noneSentence(visibleText(find))}
      showAll={text.showAll}
      onShowAll={onShowAll}
    />
  );
}

/** What floats above it is inside by its events, and not by its place. */
const isInConversation = (view: HTMLElement | null, target: EventTarget): boolean =>
  target instanceof HTMLElement && view?.contains(target) === true && target.closest('[data-conversation]') !== null;
