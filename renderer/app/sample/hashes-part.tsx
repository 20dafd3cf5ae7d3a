import { HashLine } from '../../components/hash-line.tsx';
import styles from './parts.module.css';
import type { ShownSample } from './shown-sample.ts';
import { text } from './text.ts';

const kinds = ['sha256', 'sha1', 'md5'] as const;

/** SHA-256 first. `asked`: the one that the service was asked with; null: none was. */
export function HashesPart({ sample, asked }: { sample: ShownSample; asked: string | null }) {
  return (
    <section className={styles.part} aria-label={text.hashes}>
      <dl>
        {kinds.map((kind) => (
          <HashLine
            key={kind}
            kind={text.kinds[kind]}
            value={sample[kind]}
            isLookedUp={asked !== null && sample[kind] === asked}
          />
        ))}
      </dl>
    </section>
  );
}
