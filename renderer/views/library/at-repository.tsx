import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Search } from 'lucide-react';
import { type FormEvent, useMemo } from 'react';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { isUsable } from '../../../shared/domain/server-action.ts';
import type { ServerSearch } from '../../../shared/domain/server-record.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useAction, useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceMenu } from '../../components/choice-menu.tsx';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { FailureNotice, ReadFailure } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { type ServerSearched, type ServerSearchPlace, useLibraryPlace } from '../../features/library/library-place.tsx';
import { forgetAnswers } from '../../features/library/server-search.ts';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import styles from './at-repository.module.css';
import { FoundSamples, RepositoryPane, useFoundPages, useKnownHere, usePaneState } from './repository-found.tsx';
import { QueryPane } from './repository-query.tsx';
import { text } from './strings.ts';

type FieldSearched = Extract<ServerSearched, { by: 'field' }>;
type Field = ServerSearch['field'];
const fields: readonly Field[] = ['name', 'threat', 'tag', 'comment', 'sha256'];
const fieldChoices = fields.map((id) => ({ id, text: text.serverFields[id] }));
const longestText = 500;
const longestShown = 60;

/**
 * Samples of the repository that fit what is looked for in the library, where the repository can be searched. Nothing
 * is asked of it before the person presses for it.
 */
export function AtRepository() {
  const { current } = useWorkspaces();
  return current === null ? null : <AtRepositoryOf key={current.id} workspaceId={current.id} />;
}

function AtRepositoryOf({ workspaceId }: { workspaceId: string }) {
  const { data, error } = useOperation('servers.actions', { workspaceId });
  const finding = useAction('servers.findActions');
  if (error)
    return (
      <div className={classNames(layout.bottom, layout.inset)}>
        <ReadFailure failure={error} of="servers.actions" isSmall />
      </div>
    );
  const searches = data?.actions.filter(({ action }) => action === 'searchfiles' || action === 'getfiles') ?? [];
  // A workspace without a repository has no such action.
  if (data?.mayUse !== true || searches.length === 0) return null;
  if (isUsable(data, 'searchfiles')) return <QueryPane workspaceId={workspaceId} />;
  if (isUsable(data, 'getfiles')) return <FieldPane workspaceId={workspaceId} />;
  const isAbsent = searches.every(({ state }) => state === 'absent');
  if (isAbsent && !finding.isSuccess) return null;
  return (
    <section className={classNames(layout.bottom, styles.bar)} aria-label={text.atServer} data-pane>
      <div className={classNames(layout.wrapRow8)}>
        {!isAbsent && (
          <Button look="quiet" isPending={finding.isPending} onPress={() => finding.mutate({ workspaceId })}>
            <Search size={14} strokeWidth={1.6} aria-hidden="true" />
            {finding.isPending ? text.atServerFinding : text.atServerFind}
          </Button>
        )}
        <p className={typography.note} role="status">
          {finding.isSuccess && (isAbsent ? text.atServerNone : text.atServerOpen)}
        </p>
      </div>
      {finding.error !== null && (
        <FailureNotice
          failure={finding.error}
          meaning={meaningOf(finding.error)}
          action={<FailureRemedy failure={finding.error} />}
        />
      )}
    </section>
  );
}

/** Searches one field, where the repository takes no query. */
function FieldPane({ workspaceId }: { workspaceId: string }) {
  const [{ query, atServer }, notePlace] = useLibraryPlace();
  const client = useQueryClient();
  const state = usePaneState();
  const proposed = useMemo(() => proposedSearch(query), [query]);
  const { typed, searched, pages } = atServer;
  const note = (change: Partial<ServerSearchPlace>): void => notePlace({ atServer: { ...atServer, ...change } });
  const shown = typed?.beside === query ? typed : proposed;
  // What was searched for in another workspace has no answer in this one.
  const search = searched?.by === 'field' && searched.workspaceId === workspaceId ? searched : null;
  const submit = (next: { field: Field; text: string }): void => {
    const asked: FieldSearched = { workspaceId, by: 'field', ...next };
    forgetAnswers(client, asked);
    note({ searched: asked, pages: 1, grid: new GridMemory() });
  };
  const hint = text.serverHints[shown.field];
  return (
    <RepositoryPane
      isSearched={search !== null}
      state={state}
      head={
        <SearchForm
          search={shown}
          takesFocus={state.isJustOpened}
          onChange={(next) => note({ typed: { beside: query, ...next } })}
          onSubmit={submit}
          onDown={state.toFound}
        />
      }
    >
      {search === null ? (
        <p className={classNames(typography.hint, styles.outcome)}>{hint}</p>
      ) : (
        <FoundByField
          key={`${search.field} ${search.text}`}
          search={search}
          pages={pages}
          memory={atServer.grid}
          hint={hint}
          onMore={() => note({ pages: pages + 1 })}
        />
      )}
    </RepositoryPane>
  );
}

interface SearchFormProps {
  search: { field: Field; text: string };
  /** Who opens it types next. */
  takesFocus: boolean;
  onChange(search: { field: Field; text: string }): void;
  onSubmit(search: { field: Field; text: string }): void;
  /** On to what was found. */
  onDown(): void;
}

function SearchForm({ search, takesFocus, onChange, onSubmit, onDown }: SearchFormProps) {
  const { field, text: typed } = search;
  const sought = typed.trim();
  const isValid = field === 'sha256' ? /^[0-9a-f]{64}$/i.test(sought) : sought !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isValid) onSubmit({ field, text: sought });
  };
  const choose = ([chosen]: readonly string[]): void => {
    const next = fields.find((id) => id === chosen);
    if (next !== undefined) onChange({ field: next, text: typed });
  };
  return (
    <form role="search" aria-label={text.atServer} className={classNames(layout.row8, styles.form)} onSubmit={submit}>
      <ChoiceMenu
        label={text.serverField}
        of="one"
        choices={fieldChoices}
        chosen={[field]}
        onChange={choose}
        trigger={
          <Button>
            {text.serverFields[field]}
            <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
          </Button>
        }
      />
      <input
        type="text"
        {...(takesFocus ? { autoFocus: true } : {})}
        className={classNames(surface.input, styles.field)}
        value={typed}
        maxLength={longestText}
        aria-label={text.serverText}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => onChange({ field, text: target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          onDown();
        }}
      />
      <Button type="submit" isDisabled={!isValid}>
        {text.serverSearch}
      </Button>
    </form>
  );
}

/** What the repository is searched by, from what the library is searched by. */
export function proposedSearch(query: string): { field: Field; text: string } {
  const read = readLibraryQuery(query, new Date());
  const terms = read.kind === 'terms' ? read.terms.filter(({ negated }) => !negated) : [];
  const named = terms.map(proposedTerm).find((search) => search !== null);
  const words = terms.flatMap((term) => (term.field === 'text' ? [term.value] : []));
  return named ?? { field: 'name', text: words.join(' ').slice(0, longestText) };
}

function proposedTerm(term: QueryTerm): { field: Field; text: string } | null {
  if (term.field === 'hash' && term.value.length === 64) return { field: 'sha256', text: term.value };
  if (term.field === 'name' || term.field === 'threat' || term.field === 'comment')
    return { field: term.field, text: term.value.slice(0, longestText) };
  return term.field === 'tag' && (term.match.kind === 'exact' || term.match.kind === 'beginning')
    ? { field: 'tag', text: term.match.value }
    : null;
}

interface FoundByFieldProps {
  search: FieldSearched;
  pages: number;
  memory: GridMemory;
  /** About the field that is chosen. */
  hint: string;
  onMore(): void;
}

function FoundByField({ search, pages, memory, hint, onMore }: FoundByFieldProps) {
  const { workspaceId, field, text: sought } = search;
  const inputs = Array.from({ length: pages }, (_, at) => ({
    workspaceId,
    search: { field, text: sought, page: at + 1 },
  }));
  const { pages: read, found, failure, isPending } = useFoundPages('servers.search', inputs);
  const mayBeMore = read.length === pages && (read.at(-1)?.mayBeMore ?? false);
  const here = useKnownHere(found);
  const isNothing = found.length === 0 && !isPending && failure === null;
  return (
    <>
      <div className={classNames(layout.wrapRow8, styles.outcome)}>
        <p className={typography.note} role="status">
          {isPending
            ? text.searching
            : isNothing
              ? text.serverNothing(text.serverFields[field], visibleText(cutMiddle(sought, longestShown)))
              : found.length > 0 && text.serverFound(found.length, mayBeMore)}
        </p>
        {mayBeMore && !isPending && failure === null && (
          <Button size="small" onPress={onMore}>
            {text.serverMore}
          </Button>
        )}
        <span className={typography.hint}>{hint}</span>
      </div>
      <FoundSamples found={found} here={here} failure={failure} of="servers.search" memory={memory} />
    </>
  );
}
