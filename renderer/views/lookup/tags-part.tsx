import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TagChip } from '../../components/tag-chip.tsx';
import styles from './lookup.module.css';
import { PartHead } from './part-head.tsx';
import { text } from './text.ts';

const shownAtFirst = 60;

export function TagsPart({ tags }: { tags: readonly string[] }) {
  const [shown, setShown] = useState(shownAtFirst);
  return (
    <section className={styles.part} aria-labelledby="tags">
      <PartHead id="tags" title={text.tags} />
      {tags.length === 0 && <p className={styles.nothing}>{text.noTags}</p>}
      <ul className={styles.tags} aria-labelledby="tags">
        {tags.slice(0, shown).map((tag, index) => <li key={`${index}:${tag}`}><TagChip tag={tag} /></li>)}
      </ul>
      {tags.length > shown && (
        <div className={styles.moreTags}><Button size="small" look="quiet" onPress={() => setShown(tags.length)}>{text.moreTags(tags.length - shown)}</Button></div>
      )}
    </section>
  );
}
