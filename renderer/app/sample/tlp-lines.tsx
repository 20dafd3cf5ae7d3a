import { type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { TlpMenu } from '../../components/tlp-menu.tsx';
import { TlpLamp } from '../../components/tlp-select.tsx';
import parts from './parts.module.css';
import type { ShownSample } from './shown-sample.ts';
import { text } from './text.ts';
import styles from './tlp-lines.module.css';

/** Every TLP that is said, by whom, and a way to set this desk's own. `onSet` is null while it cannot be set. */
export function TlpLines({
  sample: { tlp, tlps, records },
  onSet,
}: {
  sample: ShownSample;
  onSet: ((level: TlpLevel | null) => void) | null;
}) {
  const own = tlps.find(({ source }) => source === 'own')?.level ?? null;
  const isLowered = own !== null && tlp !== null && tlpLevels.indexOf(own) < tlpLevels.indexOf(tlp);
  return (
    <div className={styles.tlp} role="group" aria-labelledby="tlp">
      <h4 id="tlp" className={parts.subtitle}>
        {text.tlp}
      </h4>
      {tlps.length === 0 && (
        <span className={parts.aside}>{records.length === 0 ? text.nobodyAsked : text.nobodySays}</span>
      )}
      <ul className={styles.tlps}>
        {tlps.map(({ level, source }) => (
          <li key={`${source} ${level}`} className={styles.tlpLine}>
            <TlpLamp level={level} />
            <span className={parts.aside}>{text.tlpSources[source]}</span>
          </li>
        ))}
      </ul>
      <span className={parts.push} />
      <TlpMenu
        label={text.tlpMenu}
        text={text.setTlp}
        none={text.noTlp}
        isQuiet
        isDisabled={onSet === null}
        onChoose={(level) => onSet?.(level)}
      />
      {isLowered && <p className={parts.hint}>{text.stricterHolds(tlp.toUpperCase())}</p>}
    </div>
  );
}
