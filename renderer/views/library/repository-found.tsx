import { useQueries, type UseQueryOptions } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useId, useMemo, useRef, useState } from 'react';
import type { OperationInput, OperationName, OperationOutput } from '../../../shared/contract.ts';
import type { FoundSample } from '../../../shared/domain/server-record.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { ReadFailure } from '../../components/failure-notice.tsx';
import { focusIn } from '../../components/focus-in.ts';
import { useLibraryPlace } from '../../features/library/library-place.tsx';
import { useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './at-repository.module.css';
import { text } from './strings.ts';
import { TagSpace } from './table/cells.tsx';
import { type KnownHere, repositoryColumns } from './table/repository-columns.tsx';

interface RepositoryPaneProps {
  /** Something was searched for: there are results, or will be. */
  isSearched: boolean;
  state: PaneState;
  /** What to search for, beside the button that opens the pane. */
  head: ReactNode;
  /** Below it. */
  children: ReactNode;
}

interface PaneState {
  pane: RefObject<HTMLElement | null>;
  /** Who opens it types or presses next. */
  isJustOpened: boolean;
  setJustOpened(isOpen: boolean): void;
  /** On to what was found. */
  toFound(): void;
}

export function usePaneState(): PaneState {
  const pane = useRef<HTMLElement>(null);
  const [isJustOpened, setJustOpened] = useState(false);
  const toFound = useCallback(() => void focusIn(pane.current, '[role=grid] [data-index][tabindex="0"]'), []);
  return { pane, isJustOpened, setJustOpened, toFound };
}

/** What can be opened below the list of the library: a search of the repository, and what it found. */
export function RepositoryPane({ isSearched, state: { pane, setJustOpened }, head, children }: RepositoryPaneProps) {
  const id = useId();
  const [{ atServer }, note] = useLibraryPlace();
  const { isOpen } = atServer;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const toggle = (): void => {
    setJustOpened(!isOpen);
    note({ atServer: { ...atServer, isOpen: !isOpen } });
  };
  return (
    <section
      ref={pane}
      className={classNames(layout.bottom, layout.stack, isOpen && isSearched && styles.open)}
      aria-label={text.atServer}
      data-pane
    >
      <div className={classNames(layout.wrapRow8, styles.bar)}>
        <Button look="quiet" aria-expanded={isOpen} aria-controls={id} onPress={toggle}>
          <Chevron size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.atServer}
        </Button>
        {isOpen && head}
      </div>
      <div id={id} hidden={!isOpen} className={classNames(layout.stack, isSearched && layout.fill)}>
        {isOpen && children}
      </div>
    </section>
  );
}

interface FoundSamplesProps {
  found: readonly FoundSample[];
  here: KnownHere | null;
  failure: Failure | null;
  /** What failed. */
  of: OperationName;
  memory: GridMemory;
}

/** What a repository lists, each sample with where it is on this computer, and why no more could be listed. */
export function FoundSamples({ found, here, failure, of, memory }: FoundSamplesProps) {
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
    return { open, all: repositoryColumns({ here: here ?? nothingKnown, space }, open) };
  }, [here, space, openView, lookUpText]);
  return (
    <>
      {failure !== null && (
        <div className={styles.failure}>
          <ReadFailure failure={failure} of={of} />
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

const nothingKnown: KnownHere = new Map();

/** As many samples as one call takes. */
const atOnce = 1000;

/** Which of them the library has, by MD5; null before that is known. */
export function useKnownHere(found: readonly FoundSample[]): KnownHere | null {
  const inputs = Array.from({ length: Math.ceil(found.length / atOnce) }, (_, at) => ({
    selection: {
      kind: 'named' as const,
      hashes: found.slice(at * atOnce, (at + 1) * atOnce).map(({ md5 }) => md5),
    },
    after: 0,
    limit: atOnce,
  }));
  const answers = useEach('library.facts', inputs, { staleTime: 0 });
  const key = answers.map(({ dataUpdatedAt }) => dataUpdatedAt).join(' ');
  const known = answers.flatMap(({ data }) => data?.samples ?? []);
  const isKnown = answers.every(({ data }) => data !== undefined);
  return useMemo(
    () =>
      isKnown
        ? new Map(
            known.flatMap(({ md5, inVault }) => (md5 === null ? [] : [[md5, inVault ? 'vault' : 'library'] as const])),
          )
        : null,
    // oxlint-disable-next-line react/exhaustive-deps -- the facts are of that key
    [key],
  );
}

/** What a service answered stays until another search is begun: only a person who presses for it asks it again. */
export const asAnswered = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY } as const;

/** Reads one operation with each of several inputs, as `useOperation` reads one. */
export function useEach<N extends OperationName>(
  name: N,
  inputs: readonly OperationInput<N>[],
  kept: { staleTime: number; gcTime?: number },
) {
  const bridge = useBridge();
  return useQueries<UseQueryOptions<OperationOutput<N>, Failure>[]>({
    queries: inputs.map((input) => ({
      queryKey: [name, input],
      queryFn: () => valueOf(bridge.call(name, input)),
      ...kept,
    })),
  });
}

interface FoundPages<Page> {
  pages: readonly Page[];
  /** Of all pages, each sample once: what is uploaded meanwhile moves the others to the next page. */
  found: readonly FoundSample[];
  failure: Failure | null;
  isPending: boolean;
}

/** The pages of a search, in their order. */
export function useFoundPages<N extends 'servers.search' | 'servers.searchByQuery'>(
  name: N,
  inputs: readonly OperationInput<N>[],
): FoundPages<OperationOutput<N>> {
  const answers = useEach(name, inputs, asAnswered);
  const pages = answers.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const key = answers.map(({ dataUpdatedAt }) => dataUpdatedAt).join(' ');
  return {
    pages,
    // The same list as long as no page comes: the table is drawn again with each other one.
    found: useMemo(
      () => [...new Map(pages.flatMap((page) => page.found).map((sample) => [sample.md5, sample])).values()],
      // oxlint-disable-next-line react/exhaustive-deps -- the pages are of that key
      [key],
    ),
    failure: answers.find(({ error }) => error !== null)?.error ?? null,
    isPending: answers.some(({ isFetching }) => isFetching),
  };
}
