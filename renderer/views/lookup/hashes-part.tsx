import { useDownloadOf } from '../../app/downloads.tsx';
import { HashLine } from '../../components/hash-line.tsx';
import styles from './sample.module.css';
import type { FoundState } from './sample-actions.tsx';
import { knownSample } from './sample-hashes.ts';
import { text } from './text.ts';

/** SHA-256 first; the one the service was asked with is marked, which is always the MD5. */
export function HashesPart({ found }: { found: FoundState }) {
  const { download } = useDownloadOf(found.workspaceId, found.result.asked);
  const known = knownSample(found.result, download);
  return (
    <section className={styles.part} aria-label={text.hashes}>
      <dl>
        <HashLine kind={text.kinds.sha256} value={known.sha256} isAsked={false} />
        <HashLine kind={text.kinds.sha1} value={known.sha1} isAsked={false} />
        <HashLine kind={text.kinds.md5} value={known.md5} isAsked />
      </dl>
    </section>
  );
}
