import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TagChip } from '../../components/tag-chip.tsx';
import styles from './sample.module.css';
import { PartHead } from './part-head.tsx';
import { text } from './text.ts';

const shownAtFirst = 60;

/** The tags that the repository has, and those of this desk alone. */
export function TagsPart({ tags, own }: { tags: readonly string[]; own: readonly string[] }) {
  return (
    <section className={styles.part} aria-labelledby="tags">
      <PartHead id="tags" title={text.tags} />
      {tags.length === 0 && <p className={styles.nothing}>{text.noTags}</p>}
      <TagList label="tags" tags={tags} />
      {own.length > 0 && (
        <>
          <h4 id="own-tags" className={styles.ownTags}>{text.ownTags}</h4>
          <TagList label="own-tags" tags={own} />
        </>
      )}
    </section>
  );
}

function TagList({ label, tags }: { label: string; tags: readonly string[] }) {
  const [shown, setShown] = useState(shownAtFirst);
  return (
    <>
      <ul className={styles.tags} aria-labelledby={label}>
        {tags.slice(0, shown).map((tag, index) => <li key={`${index}:${tag}`}><TagChip tag={tag} /></li>)}
      </ul>
      {tags.length > shown && (
        <div className={styles.moreTags}><Button size="small" look="quiet" onPress={() => setShown(tags.length)}>{text.moreTags(tags.length - shown)}</Button></div>
      )}
    </>
  );
}
