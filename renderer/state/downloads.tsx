import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { type Download, isRunningDownload } from '../../shared/domain/sample.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { useEvent, valueOf } from '../bridge/operations.ts';

/** What became of asking for a download, until there is a download: being asked for, or why there is none. */
type Start = 'starting' | Failure;

interface KnownDownloads {
  all: readonly Download[];
  starts: ReadonlyMap<string, Start>;
  start(workspaceId: string, md5: string): void;
}

const DownloadsContext = createContext<KnownDownloads | null>(null);

const keyOf = (workspaceId: string, md5: string): string => `${workspaceId}:${md5}`;

function useKnownDownloads(): KnownDownloads {
  const known = useContext(DownloadsContext);
  if (!known) throw new TypeError('the downloads outside of DownloadsProvider');
  return known;
}

/** Every download the host reports, in its current state; the last one started is the last. */
export function useDownloads(): readonly Download[] {
  return useKnownDownloads().all;
}

/**
 * The last download of one sample, a way to start one, and why it could not start: the same for everything that shows
 * it.
 */
export function useDownloadOf(
  workspaceId: string,
  md5: string,
): { download: Download | null; isStarting: boolean; notStarted: Failure | null; start(): void } {
  const { all, starts, start } = useKnownDownloads();
  const begun = starts.get(keyOf(workspaceId, md5));
  return {
    download: all.findLast((download) => download.workspaceId === workspaceId && download.md5 === md5) ?? null,
    isStarting: begun === 'starting',
    notStarted: begun === undefined || begun === 'starting' ? null : begun,
    start: () => start(workspaceId, md5),
  };
}

export function DownloadsProvider({ children }: { children: ReactNode }) {
  const bridge = useBridge();
  const { byId, note } = useListedDownloads();
  const [starts, setStarts] = useState<ReadonlyMap<string, Start>>(new Map());
  const start = useCallback(
    async (workspaceId: string, md5: string) => {
      const key = keyOf(workspaceId, md5);
      setStarts((before) => new Map(before).set(key, 'starting'));
      const answer = await bridge.call('downloads.start', { workspaceId, md5 });
      if (answer.ok) note(answer.value);
      setStarts((before) => (answer.ok ? without(before, key) : new Map(before).set(key, answer.failure)));
    },
    [bridge, note],
  );
  const known = useMemo(
    (): KnownDownloads => ({
      all: [...byId.values()],
      starts,
      start: (workspaceId, md5) => void start(workspaceId, md5),
    }),
    [byId, starts, start],
  );
  return <DownloadsContext value={known}>{children}</DownloadsContext>;
}

const none: ReadonlyMap<string, Download> = new Map();

/**
 * Reported downloads. The host's list is read once, and again after a lost connection: a download that it has forgotten
 * by then no longer runs.
 */
function useListedDownloads(): { byId: ReadonlyMap<string, Download>; note(download: Download): void } {
  const bridge = useBridge();
  const latest = useRef(none);
  const [byId, setById] = useState(none);
  const show = useCallback((next: ReadonlyMap<string, Download>) => {
    latest.current = next;
    setById(next);
  }, []);
  /** An event may overtake the answer that started the download: a final state is never reverted. */
  const note = useCallback(
    (download: Download) => {
      const known = latest.current.get(download.id);
      if (known === undefined || isRunningDownload(known)) show(new Map(latest.current).set(download.id, download));
    },
    [show],
  );
  useEvent('download.progress', note);
  useQuery<null, Failure>({
    queryKey: ['downloads.list', {}],
    queryFn: async () => {
      const ran = [...latest.current.values()].filter(isRunningDownload);
      const { downloads } = await valueOf(bridge.call('downloads.list', {}));
      const listed = new Set(downloads.map(({ id }) => id));
      const over = new Set(ran.filter(({ id }) => !listed.has(id)).map(({ id }) => id));
      if (over.size > 0) show(new Map([...latest.current].filter(([id]) => !over.has(id))));
      downloads.forEach(note);
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { byId, note };
}

function without(starts: ReadonlyMap<string, Start>, key: string): ReadonlyMap<string, Start> {
  const left = new Map(starts);
  left.delete(key);
  return left;
}
