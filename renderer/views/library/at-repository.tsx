import { hashKey, type QueryClient, useQueries, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Search } from 'lucide-react';
import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import type { OperationInput, OperationName, OperationOutput } from '../../../shared/contract.ts';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import type { FoundSample, ServerSearch } from '../../../shared/domain/server-record.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useAction, useOperation, valueOf } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceMenu } from '../../components/choice-menu.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { FailureNotice, ReadFailure } from '../../components/failure-notice.tsx';
import { focusIn } from '../../components/focus-in.ts';
import { cutMiddle } from '../../components/format.ts';
import { type ServerSearchPlace, useLibraryPlace } from '../../features/library/library-place.tsx';
import { useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import styles from './at-repository.module.css';
import { text } from './strings.ts';
import { TagSpace } from './table/cells.tsx';
import { type KnownHere, repositoryColumns } from './table/repository-columns.tsx';

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
  const search = data?.actions.find(({ action, service }) => action === 'getfiles' && service === 'repository');
  if (error)
    return (
      <div className={classNames(layout.bottom, layout.inset)}>
        <ReadFailure failure={error} of="servers.actions" isSmall />
      </div>
    );
  // A workspace without a repository has no such action.
  if (data?.mayUse !== true || search === undefined) return null;
  if (search.state === 'answers') return <SearchPane workspaceId={workspaceId} />;
  if (search.state === 'absent' && !finding.isSuccess) return null;
  return (
    <section className={classNames(layout.bottom, styles.bar)} aria-label={text.atServer} data-pane>
      <div className={classNames(layout.wrapRow8)}>
        {search.state === 'unknown' && (
          <Button look="quiet" isPending={finding.isPending} onPress={() => finding.mutate({ workspaceId })}>
            <Search size={14} strokeWidth={1.6} aria-hidden="true" />
            {finding.isPending ? text.atServerFinding : text.atServerFind}
          </Button>
        )}
        <p className={typography.note} role="status">
          {finding.isSuccess && (search.state === 'absent' ? text.atServerNone : text.atServerOpen)}
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

function SearchPane({ workspaceId }: { workspaceId: string }) {
  const id = useId();
  const pane = useRef<HTMLElement>(null);
  const [{ query, atServer }, notePlace] = useLibraryPlace();
  const client = useQueryClient();
  const [isJustOpened, setJustOpened] = useState(false);
  const proposed = useMemo(() => proposedSearch(query), [query]);
  const { isOpen, typed, searched, pages } = atServer;
  const note = (change: Partial<ServerSearchPlace>): void => notePlace({ atServer: { ...atServer, ...change } });
  const shown = typed?.beside === query ? typed : proposed;
  // What was searched for in another workspace has no answer in this one.
  const search = searched?.workspaceId === workspaceId ? searched : null;
  const submit = (next: { field: Field; text: string }): void => {
    const { field, text: sought } = next;
    const isSame = search?.field === field && search.text === sought;
    note({ searched: { workspaceId, field, text: sought }, pages: 1, grid: new GridMemory() });
    if (isSame) askAgain(client, { workspaceId, field, text: sought });
  };
  const hint = text.serverHints[shown.field];
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <section
      ref={pane}
      className={classNames(layout.bottom, layout.stack, isOpen && search !== null && styles.open)}
      aria-label={text.atServer}
      data-pane
    >
      <div className={classNames(layout.wrapRow8, styles.bar)}>
        <Button
          look="quiet"
          aria-expanded={isOpen}
          aria-controls={id}
          onPress={() => {
            setJustOpened(!isOpen);
            note({ isOpen: !isOpen });
          }}
        >
          <Chevron size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.atServer}
        </Button>
        {isOpen && (
          <SearchForm
            search={shown}
            takesFocus={isJustOpened}
            onChange={(next) => note({ typed: { beside: query, ...next } })}
            onSubmit={submit}
            onDown={() => void focusIn(pane.current, '[role=grid] [data-index][tabindex="0"]')}
          />
        )}
      </div>
      <div id={id} hidden={!isOpen} className={classNames(layout.stack, search !== null && layout.fill)}>
        {isOpen && search === null && <p className={classNames(typography.hint, styles.outcome)}>{hint}</p>}
        {isOpen && search !== null && (
          <Found
            key={`${search.field} ${search.text}`}
            search={search}
            pages={pages}
            memory={atServer.grid}
            hint={hint}
            onMore={() => note({ pages: pages + 1 })}
          />
        )}
      </div>
    </section>
  );
}

/** Pressed once more, a search is sent once more: its first page, as the others follow on request. */
function askAgain(client: QueryClient, { workspaceId, ...search }: NonNullable<ServerSearchPlace['searched']>): void {
  const first = ['servers.search', { workspaceId, search: { ...search, page: 1 } }];
  const firstHash = hashKey(first);
  client.removeQueries({ queryKey: ['servers.search'], predicate: ({ queryHash }) => queryHash !== firstHash });
  void client.resetQueries({ queryKey: first, exact: true });
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

interface FoundProps {
  search: NonNullable<ServerSearchPlace['searched']>;
  pages: number;
  memory: GridMemory;
  /** About the field that is chosen. */
  hint: string;
  onMore(): void;
}

function Found({ search, pages, memory, hint, onMore }: FoundProps) {
  const { found, failure, isPending, mayBeMore } = useFoundPages(search, pages);
  const here = useKnownHere(found);
  const [space] = useState(() => new TagSpace());
  const { lookUpText } = useLookupStore();
  const { openView } = useNavigation();
  const { values } = useSettings();
  // Who returns from a sample continues at its row.
  useState(() => memory.spot.hadFocus && memory.wantFocus());
  const columns = useMemo(() => {
    const open = ({ md5 }: FoundSample): void => {
      openView('lookup');
      lookUpText(md5);
    };
    return { open, all: repositoryColumns({ here, space }, open) };
  }, [here, space, openView, lookUpText]);
  const isNothing = found.length === 0 && !isPending && failure === null;
  const field = text.serverFields[search.field];
  return (
    <>
      <div className={classNames(layout.wrapRow8, styles.outcome)}>
        <p className={typography.note} role="status">
          {isPending
            ? text.searching
            : isNothing
              ? text.serverNothing(field, visibleText(cutMiddle(search.text, longestShown)))
              : found.length > 0 && text.serverFound(found.length, mayBeMore)}
        </p>
        {mayBeMore && !isPending && failure === null && (
          <Button size="small" onPress={onMore}>
            {text.serverMore}
          </Button>
        )}
        <span className={typography.hint}>{hint}</span>
      </div>
      {failure !== null && (
        <div className={styles.failure}>
          <ReadFailure failure={failure} of="servers.search" />
        </div>
      )}
      {found.length > 0 && (
        <DataGrid
          label={text.atServerTable}
          columns={columns.all}
          count={found.length}
          rowAt={(index) => found[index]}
          keyOf={({ md5 }) => md5}
          onOpen={columns.open}
          memory={memory}
          letters={values.singleLetterKeys}
        />
      )}
    </>
  );
}

interface FoundPages {
  /** Of all pages, each sample once: what is uploaded meanwhile moves the others to the next page. */
  found: readonly FoundSample[];
  failure: Failure | null;
  isPending: boolean;
  mayBeMore: boolean;
}

function useFoundPages({ workspaceId, field, text: sought }: FoundProps['search'], pages: number): FoundPages {
  const inputs = Array.from({ length: pages }, (_, at) => ({
    workspaceId,
    search: { field, text: sought, page: at + 1 },
  }));
  const answers = useEach('servers.search', inputs, Number.POSITIVE_INFINITY);
  const last = answers.at(-1);
  const all = answers.flatMap(({ data }) => data?.found ?? []);
  const key = answers.map(({ dataUpdatedAt }) => dataUpdatedAt).join(' ');
  return {
    // The same list as long as no page comes: the table is drawn again with each other one.
    // oxlint-disable-next-line react/exhaustive-deps -- the pages are of that key
    found: useMemo(() => [...new Map(all.map((sample) => [sample.md5, sample])).values()], [key]),
    failure: answers.find(({ error }) => error !== null)?.error ?? null,
    isPending: answers.some(({ isFetching }) => isFetching),
    mayBeMore: last?.data?.mayBeMore ?? false,
  };
}

/** As many samples as one call takes. */
const atOnce = 1000;

/** Which of them the library has, by MD5. */
function useKnownHere(found: readonly FoundSample[]): KnownHere {
  const inputs = Array.from({ length: Math.ceil(found.length / atOnce) }, (_, at) => ({
    selection: {
      kind: 'named' as const,
      hashes: found.slice(at * atOnce, (at + 1) * atOnce).map(({ md5 }) => md5),
    },
    after: 0,
    limit: atOnce,
  }));
  const answers = useEach('library.facts', inputs, 0);
  const key = answers.map(({ dataUpdatedAt }) => dataUpdatedAt).join(' ');
  const known = answers.flatMap(({ data }) => data?.samples ?? []);
  return useMemo(
    () =>
      new Map(
        known.flatMap(({ md5, inVault }) => (md5 === null ? [] : [[md5, inVault ? 'vault' : 'library'] as const])),
      ),
    // oxlint-disable-next-line react/exhaustive-deps -- the facts are of that key
    [key],
  );
}

/** Reads one operation with each of several inputs, as `useOperation` reads one. */
function useEach<N extends OperationName>(name: N, inputs: readonly OperationInput<N>[], staleTime: number) {
  const bridge = useBridge();
  return useQueries<UseQueryOptions<OperationOutput<N>, Failure>[]>({
    queries: inputs.map((input) => ({
      queryKey: [name, input],
      queryFn: () => valueOf(bridge.call(name, input)),
      staleTime,
    })),
  });
}
