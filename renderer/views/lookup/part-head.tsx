import styles from './sample.module.css';

export function PartHead({ id, title, aside }: { id: string; title: string; aside?: string }) {
  return (
    <div className={styles.partHead}>
      <h3 id={id}>{title}</h3>
      {aside !== undefined && <span className={styles.aside}>{aside}</span>}
    </div>
  );
}
