import { Library, SearchX, TriangleAlert } from 'lucide-react';
import type { SavedView } from '../../../shared/domain/library.ts';
import { queryParts } from '../../../shared/domain/query-terms.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ReadFailure } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { useAdditions } from '../../features/additions/additions.tsx';
import { openedView, useLibraryPlace } from '../../features/library/library-place.tsx';
import { useSavedViews, useViewActs } from '../../features/library/saved-views.ts';
import { useNavigation } from '../../state/navigation.tsx';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import type { FoundBy } from './library-rows.ts';
import { text as additionsText } from '../../features/additions/strings.ts';
import { text } from './strings.ts';

/** Each part is counted alone, and the search without it. */
const mostParts = 12;
const longestPart = 60;
const longestQuery = 120;

/** Nothing was ever looked up here. */
export function EmptyLibrary() {
  const { openView } = useNavigation();
  const additions = useAdditions();
  return (
    <EmptyState
      icon={<Library size={20} strokeWidth={1.6} />}
      title={text.emptyTitle}
      sentence={text.emptySentence}
      action={
        <div className={layout.centred8}>
          <Button look="primary" onPress={() => openView('lookup')}>
            {text.emptyAction}
          </Button>
          <Button onPress={additions.show}>{additionsText.button}</Button>
        </div>
      }
    />
  );
}

interface NothingFoundProps {
  foundBy: FoundBy;
  /** Another search, its field having the focus. */
  onSearch(query: string): void;
  onEdit(): void;
}

/** No sample fits all parts of the query: which of them rule the others out is said. */
export function NothingFound({ foundBy, onSearch, onEdit }: NothingFoundProps) {
  const { parts, failure } = usePartCounts(foundBy);
  const noOne = parts.find(({ alone }) => alone === 0);
  const nothing = text.nothingSentence(visibleText(cutMiddle(foundBy.text.trim(), longestQuery)));
  return (
    <EmptyState
      icon={<SearchX size={20} strokeWidth={1.6} />}
      title={text.nothingTitle}
      sentence={noOne === undefined ? nothing : `${nothing} ${text.noOne(shownPart(noOne.part))}`}
      action={
        <div className={layout.centred8}>
          {failure !== null && <ReadFailure failure={failure} of="library.totals" />}
          {parts
            .filter(({ without }) => without > 0)
            .map(({ part, rest, without }) => (
              <Button key={rest} size="small" onPress={() => onSearch(rest)}>
                <span className={typography.ellipsis}>{text.without(shownPart(part))}</span>
                <span className={typography.lighter} data-figures>
                  {text.withoutFinds(without)}
                </span>
              </Button>
            ))}
          <Button size="small" onPress={() => onSearch('')}>
            {text.showAll}
          </Button>
          <ViewWays onEdit={onEdit} />
        </div>
      }
    />
  );
}

/** A saved view that has come to nothing is edited, or removed. */
function ViewWays({ onEdit }: { onEdit(): void }) {
  const { views } = useSavedViews();
  const acts = useViewActs(views);
  const view = useCurrentView(views);
  if (view === null) return null;
  return (
    <>
      <Button size="small" onPress={onEdit}>
        {text.editQuery}
      </Button>
      <Button size="small" onPress={() => acts.remove(view)}>
        {text.removeView}
      </Button>
    </>
  );
}

/** What is in the field was not searched by: nothing is shown that would look like its answer. */
export function UnreadableQuery({ onSearch, onEdit }: Omit<NothingFoundProps, 'foundBy'>) {
  const view = useCurrentView(useSavedViews().views);
  const title =
    view === null ? text.unreadableQuery : text.unreadableTitle(visibleText(cutMiddle(view.name, longestPart)));
  return (
    <EmptyState
      icon={<TriangleAlert size={20} strokeWidth={1.6} />}
      title={title}
      sentence={view === null ? text.unreadableSentence : text.unreadableView}
      action={
        <div className={layout.centred8}>
          <Button size="small" onPress={() => onSearch('')}>
            {text.showAll}
          </Button>
          <ViewWays onEdit={onEdit} />
        </div>
      }
    />
  );
}

/** The saved view whose query is shown, if there is one. */
function useCurrentView(views: readonly SavedView[]): SavedView | null {
  const [place] = useLibraryPlace();
  return openedView(place, views);
}

const shownPart = (part: string): string => visibleText(cutMiddle(part, longestPart));

interface PartCount {
  part: string;
  /** The query without it. */
  rest: string;
  without: number;
  alone: number;
}

/** Empty while it is not known, and where there is one part only. */
function usePartCounts({ text: query, terms }: FoundBy): { parts: PartCount[]; failure: Failure | null } {
  const words = queryParts(query);
  const isWorth = terms.length > 1 && terms.length <= mostParts && words.length === terms.length;
  const queries = isWorth
    ? [...terms.map((term) => terms.filter((each) => each !== term)), ...terms.map((term) => [term])]
    : [];
  const { data, error } = useOperation('library.totals', { queries }, { enabled: isWorth });
  if (data === undefined) return { parts: [], failure: error };
  const parts = words.map(({ at, end }, index) => ({
    part: query.slice(at, end),
    rest: `${query.slice(0, at)}${query.slice(end).trimStart()}`.trim(),
    without: data.totals[index]?.samples ?? 0,
    alone: data.totals[terms.length + index]?.samples ?? 0,
  }));
  return { parts, failure: null };
}
