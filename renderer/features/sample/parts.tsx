import { type ReactNode, useState } from 'react';
import { addedPlace } from '../../../shared/domain/addition.ts';
import type { SampleName as GivenName } from '../../../shared/domain/library.ts';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { HashLine } from '../../components/hash-line.tsx';
import { Notice } from '../../components/notice.tsx';
import { SampleName, TimeText } from '../../components/service-text.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import additionsStyles from '../additions/additions.module.css';
import { text as additionsText } from '../additions/strings.ts';
import styles from './sample.module.css';
import type { ShownSample } from './shown-sample.ts';
import { text } from './strings.ts';

/** Parts of the page that another part leads to. */
export type PartId = 'record' | 'hits' | 'tags' | 'tlp' | 'history';

/** Goes to a part of the page, with the focus on its heading. */
export function focusPart(id: PartId): void {
  const heading = document.getElementById(id);
  heading?.focus({ preventScroll: true });
  heading?.closest('section')?.scrollIntoView({ block: 'nearest' });
}

interface PartHeadProps {
  id: string;
  title: string;
  aside?: ReactNode;
  /** At the end of the line: what can be done. */
  action?: ReactNode;
}

export function PartHead({ id, title, aside, action }: PartHeadProps) {
  return (
    <div className={classNames(layout.row, styles.partHead)}>
      <h3 id={id} tabIndex={-1}>
        {title}
      </h3>
      {aside !== undefined && <span className={typography.hint}>{aside}</span>}
      {action}
    </div>
  );
}

const hashKinds = ['sha256', 'sha1', 'md5'] as const;

interface HashesPartProps {
  sample: ShownSample;
  /** The one that a person looked up; null: it was opened in the library. */
  given: string | null;
  /** The one that its service was asked with; null: none was. */
  asked: string | null;
}

/** SHA-256 first. */
export function HashesPart({ sample, given, asked }: HashesPartProps) {
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-label={text.hashes}>
      <dl>
        {hashKinds.map((kind) => (
          <HashLine
            key={kind}
            kind={text.kinds[kind]}
            value={sample[kind]}
            use={
              sample[kind] === null ? null : sample[kind] === given ? 'given' : sample[kind] === asked ? 'asked' : null
            }
          />
        ))}
      </dl>
      <SameMd5 hashes={sample.sameMd5} />
    </section>
  );
}

/** As many as tables show of a hash. */
const shownDigits = 12;

/** Their records and severity are not this one's: one MD5 was given to several files. */
function SameMd5({ hashes }: { hashes: readonly string[] }) {
  const { openSample } = useNavigation();
  if (hashes.length === 0) return null;
  return (
    <div className={styles.reported}>
      <Notice meaning="warn" title={text.sameMd5(hashes.length)}>
        <span className={classNames(layout.wrap, styles.sameMd5)}>
          {hashes.map((hash) => (
            <Button key={hash} size="small" look="inline" onPress={() => openSample(hash)}>
              {hashKindOf(hash) === 'sha256' ? text.openSha256(hash.slice(0, shownDigits)) : text.openWithoutSha256}
            </Button>
          ))}
        </span>
      </Notice>
    </div>
  );
}

const namesShownAtFirst = 5;
/** Every name under which local files with these bytes were added. Nothing where there is none. */
export function NamesPart({ names }: { names: readonly GivenName[] }) {
  const [isWhole, setWhole] = useState(false);
  if (names.length === 0) return null;
  const shown = isWhole ? names : names.slice(0, namesShownAtFirst);
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="names">
      <PartHead id="names" title={additionsText.names} />
      <ul className={layout.stack}>
        {shown.map((name) => (
          <li key={addedPlace(name)} className={classNames(layout.baseline8, additionsStyles.name)}>
            <span className={typography.breaks}>
              <SampleName name={name.name} />
            </span>
            <bdi
              dir="ltr"
              className={classNames(typography.cut, layout.grow, typography.muted)}
              title={visibleText(name.path)}
            >
              {name.path !== '' && additionsText.nameIn(visibleText(name.path.replace(/!$/, '')))}
            </bdi>
            <TimeText sent={name.added} />
          </li>
        ))}
      </ul>
      {shown.length < names.length && (
        <Button size="small" look="quiet" onPress={() => setWhole(true)}>
          {additionsText.allNames(names.length)}
        </Button>
      )}
    </section>
  );
}
