import type { StoragePlace, StorageState } from '../../../../shared/domain/storage.ts';
import { numberWords, sizeWords } from '../../../components/byte-words.ts';
import { SmallTable } from '../../../components/small-table.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import settings from '../settings.module.css';
import styles from './storage.module.css';
import { text } from './text.ts';

/** Largest first, each with its part of the bar. The table says all that the bar does. */
export function StoragePlaces({ places }: { places: StorageState['places'] }) {
  const shown = places.toSorted((one, other) => other.bytes - one.bytes);
  const bytes = places.reduce((sum, place) => sum + place.bytes, 0);
  const files = places.reduce((sum, place) => sum + place.files, 0);
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="places">
      <h3 id="places" className={settings.groupTitle}>
        {text.places}
      </h3>
      <div className={styles.bar} aria-hidden="true">
        {shown
          .filter((place) => place.bytes > 0)
          .map(({ place, bytes: part }) => (
            <span key={place} className={styles[place]} style={{ flexGrow: part }} />
          ))}
      </div>
      <SmallTable className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{text.place}</th>
            <th scope="col" className={styles.number}>
              {text.size}
            </th>
            <th scope="col" className={styles.number}>
              {text.files}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((place) => (
            <PlaceRow key={place.place} {...place} />
          ))}
        </tbody>
        <tfoot>
          <tr data-figures>
            <th scope="row">{text.total}</th>
            <td className={styles.number}>{sizeWords(bytes)}</td>
            <td className={styles.number}>{numberWords(files)}</td>
          </tr>
        </tfoot>
      </SmallTable>
    </section>
  );
}

function PlaceRow({ place, bytes, files }: { place: StoragePlace; bytes: number; files: number }) {
  return (
    <tr data-figures>
      <th scope="row">
        <span className={`${styles.mark} ${styles[place]}`} aria-hidden="true" />
        {text.placeNames[place]}
      </th>
      <td className={styles.number}>{sizeWords(bytes)}</td>
      <td className={styles.number}>{numberWords(files)}</td>
    </tr>
  );
}
