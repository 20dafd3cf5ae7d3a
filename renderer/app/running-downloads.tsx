import { Download as DownloadIcon } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { type Download, isRunningDownload } from '../../shared/domain/download.ts';
import { durationWords } from '../components/format.ts';
import styles from './command-bar.module.css';
import { useDownloads } from './downloads.tsx';
import { useLookupDesk } from './lookup-desk.tsx';
import { useNavigation } from './navigation.tsx';
import { text } from './text.ts';
import { useWorkspaces } from './use-workspaces.ts';

/** How many downloads run, how far they are, and the way to the newest one. */
export function RunningDownloads() {
  const running = useDownloads().filter(isRunningDownload);
  const { current } = useWorkspaces();
  const { ask, state } = useLookupDesk();
  const { openRoom } = useNavigation();
  const newest = running.at(-1);
  if (!newest) return null;
  const show = (): void => {
    openRoom('lookup');
    const isShown = state.kind === 'found' && state.result.asked === newest.md5;
    if (!isShown && newest.workspaceId === current?.id) ask(newest.md5);
  };
  const { share, secondsLeft } = progressOf(running);
  return (
    <Button className={styles.running ?? ''} onPress={show} data-figures>
      <DownloadIcon size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={styles.count}>{text.downloads(running.length)}</span>
      {share !== null && <span>{text.percent(share)}</span>}
      {secondsLeft !== null && <span>{text.left(durationWords(secondsLeft))}</span>}
    </Button>
  );
}

/** Over all of them; null while one of them has not said how large it is. */
export function progressOf(downloads: readonly Download[]): { share: number | null; secondsLeft: number | null } {
  const sum = (pick: (download: Download) => number): number =>
    downloads.reduce((total, download) => total + pick(download), 0);
  const total = sum(({ totalBytes }) => totalBytes ?? Number.NaN);
  if (!(total > 0)) return { share: null, secondsLeft: null };
  const received = sum(({ receivedBytes }) => receivedBytes);
  const rate = sum(({ bytesPerSecond }) => bytesPerSecond);
  return {
    share: Math.min(100, Math.floor((received / total) * 100)),
    secondsLeft: rate > 0 ? (total - received) / rate : null,
  };
}
