import type { Json } from '../../../shared/domain/sample.ts';
import { JsonTree } from '../../components/json-tree.tsx';
import styles from './parts.module.css';
import { PartHead } from './part-head.tsx';
import { text } from './text.ts';

/** Everything the reader does not know, under the service's own names: nothing that was sent is hidden. */
export function FurtherFields({ fields }: { fields: { readonly [name: string]: Json } }) {
  if (Object.keys(fields).length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="further-fields">
      <PartHead id="further-fields" title={text.more} aside={text.moreAside} />
      <JsonTree label={text.more} value={fields} />
    </section>
  );
}
