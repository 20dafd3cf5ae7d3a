import { useQueryClient } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { isUsable } from '../../../shared/domain/server-action.ts';
import type { FoundPage } from '../../../shared/domain/server-record.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { cutMiddle } from '../../components/format.ts';
import { type ServerSearched, useLibraryPlace } from '../../features/library/library-place.tsx';
import { forgetAnswers, queryInput, searchOrderOf } from '../../features/library/server-search.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './at-repository.module.css';
import { FoundSamples, RepositoryPane, useFoundPages, useKnownHere, usePaneState } from './repository-found.tsx';
import { text } from './strings.ts';

type QuerySearched = Extract<ServerSearched, { by: 'query' }>;

const longestShown = 60;
const quoted = (query: string): string => visibleText(cutMiddle(query, longestShown));

const isReadable = (query: string): boolean => readLibraryQuery(query, new Date()).kind === 'terms';

/** Searches the repository with the query that the library is searched by, in the order that comes nearest to its. */
export function useQuerySearch(workspaceId: string): (() => void) | null {
  const [{ query, sort, atServer }, note] = useLibraryPlace();
  const client = useQueryClient();
  const canBeSent = useMemo(() => isReadable(query), [query]);
  if (!canBeSent) return null;
  return () => {
    const searched: QuerySearched = { workspaceId, by: 'query', query, order: searchOrderOf(sort), afters: [null] };
    forgetAnswers(client, searched);
    note({ atServer: { ...atServer, searched, grid: new GridMemory() } });
  };
}

/**
 * What Enter in the search field of the library does besides: where its query can be sent to the repository and the
 * pane for that is open, the repository is searched. null: it does nothing besides.
 */
export function useEnterSearch(): (() => void) | null {
  const { current } = useWorkspaces();
  const workspaceId = current?.id ?? '';
  const [{ atServer }] = useLibraryPlace();
  const { data } = useOperation('servers.actions', { workspaceId }, { enabled: current !== null });
  const search = useQuerySearch(workspaceId);
  return atServer.isOpen && data !== undefined && isUsable(data, 'searchfiles') ? search : null;
}

/** The repository of a workspace, searched with the query of the library when a person presses for it. */
export function QueryPane({ workspaceId }: { workspaceId: string }) {
  const [{ query, sort, atServer }] = useLibraryPlace();
  const search = useQuerySearch(workspaceId);
  const state = usePaneState();
  const { searched } = atServer;
  // What was searched for in another workspace has no answer in this one.
  const shown = searched?.by === 'query' && searched.workspaceId === workspaceId ? searched : null;
  const order = searchOrderOf(sort);
  const isOutdated = shown !== null && (shown.query !== query || shown.order !== order);
  return (
    <RepositoryPane
      isSearched={shown !== null}
      state={state}
      head={
        <>
          <Button
            takesFocus={state.isJustOpened}
            look={isOutdated ? 'primary' : 'default'}
            isDisabled={search === null}
            why={text.queryUnreadable}
            onPress={() => search?.()}
            onKeyDown={(event) => (event.key === 'ArrowDown' ? state.toFound() : event.continuePropagation())}
          >
            <Search size={14} strokeWidth={1.6} aria-hidden="true" />
            {shown === null ? text.serverSearch : text.serverSearchAgain}
          </Button>
          <span className={classNames(typography.hint, styles.plan)}>
            {search === null ? text.queryUnreadable : text.queryPlan(query.trim() !== '', order)}
          </span>
        </>
      }
    >
      {shown !== null && (
        <FoundByQuery
          key={JSON.stringify([shown.query, shown.order])}
          search={shown}
          isOutdated={isOutdated}
          memory={atServer.grid}
        />
      )}
    </RepositoryPane>
  );
}

interface FoundByQueryProps {
  search: QuerySearched;
  /** The library is searched by another query or in another order by now. */
  isOutdated: boolean;
  memory: GridMemory;
}

function FoundByQuery({ search, isOutdated, memory }: FoundByQueryProps) {
  const [{ atServer }, note] = useLibraryPlace();
  const inputs = search.afters.map((after) => queryInput(search, after));
  const { pages, found, failure, isPending } = useFoundPages('servers.searchByQuery', inputs);
  const here = useKnownHere(found);
  const next = pages.at(-1)?.next ?? null;
  // A mark that was followed already leads nowhere new.
  const hasMore = next !== null && !search.afters.includes(next) && !isPending && failure === null;
  const showMore = (): void =>
    note({ atServer: { ...atServer, searched: { ...search, afters: [...search.afters, next] } } });
  return (
    <>
      <div className={classNames(layout.wrapRow8, styles.outcome)}>
        <p className={typography.note} role="status">
          {isPending ? text.searching : failure === null && formatFound(search.query, pages, found, here)}
        </p>
        {hasMore && (
          <Button size="small" onPress={showMore}>
            {text.serverMore}
          </Button>
        )}
        {isOutdated && (
          <span className={classNames(typography.hint, styles.plan)}>
            {text.queryOutdated(search.query.trim() === '' ? null : quoted(search.query), search.order)}
          </span>
        )}
      </div>
      <FoundSamples found={found} here={here} failure={failure} of="servers.searchByQuery" memory={memory} />
    </>
  );
}

function formatFound(
  query: string,
  pages: readonly FoundPage[],
  found: readonly { md5: string }[],
  here: ReadonlyMap<string, unknown> | null,
): string {
  const last = pages.at(-1);
  if (last === undefined) return '';
  if (found.length === 0) return query.trim() === '' ? text.queryNothingAtAll : text.queryNothing(quoted(query));
  const total = Math.max(last.total, found.length);
  const isWhole = last.next === null || (total === found.length && !last.more);
  const known = here === null ? null : found.filter(({ md5 }) => here.has(md5)).length;
  return isWhole
    ? text.queryFound(found.length, known)
    : text.queryFirst({ total, more: last.more, listed: found.length, known });
}
