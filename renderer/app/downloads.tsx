import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { Download } from '../../shared/domain/download.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { useEvent } from '../bridge/use-event.ts';

const DownloadsContext = createContext<{ all: readonly Download[]; note(download: Download): void } | null>(null);

export const isRunning = ({ state }: Download): boolean => state === 'waiting' || state === 'receiving';

function useKnownDownloads(): { all: readonly Download[]; note(download: Download): void } {
  const known = useContext(DownloadsContext);
  if (!known) throw new TypeError('the downloads outside of DownloadsProvider');
  return known;
}

/** Every download the host tells of, as it stands; the last one started is the last. */
export function useDownloads(): readonly Download[] {
  return useKnownDownloads().all;
}

/** The last download of one sample, and a way to note one that was just started. */
export function useDownloadOf(workspaceId: string, md5: string): { download: Download | null; note(download: Download): void } {
  const { all, note } = useKnownDownloads();
  return { download: all.findLast((download) => download.workspaceId === workspaceId && download.md5 === md5) ?? null, note };
}

export function DownloadsProvider({ children }: { children: ReactNode }) {
  const bridge = useBridge();
  const [byId, setById] = useState<ReadonlyMap<string, Download>>(new Map());
  /** An event may overtake the answer that started the download: a final state is never taken back. */
  const note = useCallback((download: Download) => {
    setById((before) => {
      const known = before.get(download.id);
      return known && !isRunning(known) ? before : new Map(before).set(download.id, download);
    });
  }, []);
  useEvent('download.progress', note);
  useEffect(() => {
    void bridge.call('downloads.list', {}).then((answer) => answer.ok && answer.value.downloads.forEach(note));
  }, [bridge, note]);
  const known = useMemo(() => ({ all: [...byId.values()], note }), [byId, note]);
  return <DownloadsContext value={known}>{children}</DownloadsContext>;
}
