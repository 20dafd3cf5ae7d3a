import { useState } from 'react';
import { addedPlace } from '../../../shared/domain/addition.ts';
import type { SampleName as GivenName } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { SampleName, TimeText } from '../../components/service-text.tsx';
import { PartHead } from '../sample/part-head.tsx';
import parts from '../sample/parts.module.css';
import styles from './additions.module.css';
import { text } from './text.ts';

const shownAtFirst = 5;
const longestName = 120;

/** Every name under which local files with these bytes were added. Nothing where there is none. */
export function NamesPart({ names }: { names: readonly GivenName[] }) {
  const [isWhole, setWhole] = useState(false);
  if (names.length === 0) return null;
  const shown = isWhole ? names : names.slice(0, shownAtFirst);
  return (
    <section className={parts['part'] ?? ''} aria-labelledby="names">
      <PartHead id="names" title={text.names} />
      <ul className={styles.names}>
        {shown.map((name) => (
          <li key={addedPlace(name)} className={styles.name}>
            <span className={styles.given}>
              <SampleName name={name.name} longest={longestName} />
            </span>
            <bdi dir="ltr" className={styles.place} title={visibleText(name.path)}>
              {name.path !== '' && text.nameIn(visibleText(name.path.replace(/!$/, '')))}
            </bdi>
            <TimeText sent={name.added} />
          </li>
        ))}
      </ul>
      {shown.length < names.length && (
        <Button size="small" look="quiet" onPress={() => setWhole(true)}>
          {text.allNames(names.length)}
        </Button>
      )}
    </section>
  );
}
