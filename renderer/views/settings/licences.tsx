import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LicensedPackage } from 'virtual:licences';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './text.ts';

/** What goes out with the program, and under which terms. Loaded when somebody wants to read it. */
export function Licences() {
  const [isShown, setShown] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['licences'],
    queryFn: () => import('virtual:licences'),
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className={classNames(layout.stack8, styles.group)} aria-labelledby="licences">
      <h3 id="licences" className={styles.groupTitle}>
        {text.licences}
      </h3>
      <p className={typography.sentence}>{text.licencesSentence}</p>
      <div>
        <Button aria-expanded={isShown} onPress={() => setShown(!isShown)}>
          {isShown ? text.hideLicences : text.showLicences}
        </Button>
      </div>
      {isShown && data && (
        <ul className={styles.licences} aria-label={text.licences}>
          {data.licences.packages.map((each) => (
            <li key={each.name}>
              <Licence of={each} texts={data.licences.texts} />
            </li>
          ))}
        </ul>
      )}
      {isShown && error && (
        <FailureNotice
          failure={{ kind: 'host-gone' }}
          retry={{ name: 'host.describe', input: {} }}
          onRetry={() => void refetch()}
        />
      )}
    </section>
  );
}

function Licence({
  of: { name, version, licence, text: at },
  texts,
}: {
  of: LicensedPackage;
  texts: readonly string[];
}) {
  return (
    <details className={styles.licence}>
      <summary>
        <span className={styles.licenceName}>{name}</span>{' '}
        <span className={classNames(typography.hint, styles.aside)}>{version}</span>{' '}
        <span className={classNames(typography.hint, styles.aside)}>{licence}</span>
      </summary>
      {/* A long text is scrolled by the keyboard, too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre
        className={classNames(typography.asWritten, styles.licenceText)}
        tabIndex={0}
        aria-label={text.licenceOf(name)}
      >
        {at === null ? text.noLicenceText : texts[at]}
      </pre>
    </details>
  );
}
