import type { ReactNode } from 'react';
import type { PackageView } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { exactSizeWords, numberWords } from '../../../components/byte-words.ts';
import { CopyIcon } from '../../../components/copy-button.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { words } from '../../../components/words.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { text } from './text.ts';
import styles from './compare.module.css';

/** What is known of a package. `isActive`: it is in use now. */
export function PackageFacts({ shown, isActive = false }: { shown: PackageView; isActive?: boolean }) {
  const { version, group, published, source, fileName, received, activated, sizeBytes, contents, sha256 } = shown;
  const names = text.factNames;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [names.version, <bdi key="version">{visibleText(version)}</bdi>],
    [names.group, group === null ? text.noGroup : <bdi key="group">{visibleText(group)}</bdi>],
    ...(published === null ? [] : [[names.published, <TimeText key="published" sent={published} />] as const]),
    [names.source, fileName ? <bdi key="source">{visibleText(fileName)}</bdi> : text.sources[source]],
    [names.received, <TimeText key="received" sent={received} />],
    ...(isActive && activated !== null ? [[names.since, <TimeText key="since" sent={activated} />] as const] : []),
    [names.size, exactSizeWords(sizeBytes)],
    ...(contents === null
      ? []
      : ([
          [names.files, numberWords(contents.files)],
          [names.rules, numberWords(contents.rules)],
          [names.broken, numberWords(contents.broken)],
        ] as const)),
    [
      names.sha256,
      <span key="sha256" className={classNames(layout.flex4, styles.hash)}>
        <code>{sha256}</code>
        <CopyIcon text={sha256} label={`${words.copy} ${names.sha256}`} />
      </span>,
    ],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
