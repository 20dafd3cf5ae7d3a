import { archiveLimits } from '../../../shared/domain/archive-limits.ts';
import { useSettings } from '../../app/use-settings.ts';
import { numberWords, sizeWords } from '../../components/byte-words.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { NumberSetting } from './number-setting.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

export function UploadsSection() {
  const { values, change, isKnown } = useSettings();
  if (!isKnown) return null;
  return (
    <>
      <p className={typography.sentence}>{text.uploadsSentence}</p>
      <NumberSetting
        name="uploadFiles"
        label={text.uploadFiles}
        hint={text.uploadFilesHint}
        stored={values.uploadFiles}
        onSave={(uploadFiles) => change({ uploadFiles })}
      />
      <NumberSetting
        name="uploadMebibytes"
        label={text.uploadMebibytes}
        hint={text.uploadMebibytesHint}
        stored={values.uploadMebibytes}
        onSave={(uploadMebibytes) => change({ uploadMebibytes })}
      />
      <ArchiveLimits />
    </>
  );
}

/** They keep a hostile archive from filling the disk, and cannot be set. */
function ArchiveLimits() {
  const { members, memberBytes, totalBytes, expansion } = archiveLimits;
  return (
    <section className={classNames(layout.stack8, styles.group)} aria-labelledby="archive-limits">
      <h3 id="archive-limits" className={styles.groupTitle}>
        {text.archiveLimits}
      </h3>
      <p className={typography.sentence}>{text.archiveLimitsSentence}</p>
      <dl className={classNames(layout.stack, typography.body, styles.facts)}>
        <div>
          <dt>{text.archiveMembers}</dt>
          <dd>{numberWords(members)}</dd>
        </div>
        <div>
          <dt>{text.archiveMemberSize}</dt>
          <dd>{sizeWords(memberBytes)}</dd>
        </div>
        <div>
          <dt>{text.archiveTotalSize}</dt>
          <dd>{sizeWords(totalBytes)}</dd>
        </div>
        <div>
          <dt>{text.archiveExpansion}</dt>
          <dd>{text.timesItsSize(expansion)}</dd>
        </div>
      </dl>
    </section>
  );
}
