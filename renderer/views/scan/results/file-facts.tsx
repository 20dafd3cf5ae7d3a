import type { ScannedFile } from '../../../../shared/domain/scan.ts';
import { exactSizeWords } from '../../../components/byte-words.ts';
import { CopyIcon } from '../../../components/copy-button.tsx';
import { TlpLabel } from '../../../components/tlp-label.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './file.module.css';
import { Tags } from './rule-facts.tsx';
import { text } from './text.ts';
import { Fact } from './where-scanned.tsx';

/** What is known of the file itself. */
export function FileFacts({ file: { sha256, md5, sizeBytes, inVault, tags, tlp } }: { file: ScannedFile }) {
  return (
    <section className={classNames(layout.stack8, layout.insetLine, styles.part)} aria-label={text.facts}>
      <h2 className={typography.title}>{text.facts}</h2>
      <dl className={styles.ruleFacts} data-figures>
        <Fact name={text.sha256}>
          <span className={classNames(layout.flex4, styles.hash)}>
            <code className={classNames(typography.code, typography.anywhere)}>{sha256}</code>
            <CopyIcon text={sha256} label={text.copySha256} />
          </span>
        </Fact>
        {md5 !== null && (
          <Fact name={text.md5}>
            <code className={classNames(typography.code, typography.anywhere)}>{md5}</code>
          </Fact>
        )}
        {sizeBytes !== null && <Fact name={text.size}>{exactSizeWords(sizeBytes)}</Fact>}
        <Fact name={text.vault}>{inVault ? text.inVault : text.notInVault}</Fact>
        {tlp !== null && (
          <Fact name="TLP">
            <TlpLabel level={tlp} />
          </Fact>
        )}
        {tags.length > 0 && (
          <Fact name={text.tags}>
            <Tags tags={tags} />
          </Fact>
        )}
      </dl>
    </section>
  );
}
