import { useSettings } from '../../app/use-settings.ts';
import { NumberSetting } from './number-setting.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

export function UploadsSection() {
  const { values, change, isKnown } = useSettings();
  if (!isKnown) return null;
  return (
    <>
      <p className={styles.sentence}>{text.uploadsSentence}</p>
      <NumberSetting name="uploadFiles" label={text.uploadFiles} hint={text.uploadFilesHint} stored={values.uploadFiles} onSave={(uploadFiles) => change({ uploadFiles })} />
      <NumberSetting name="uploadMebibytes" label={text.uploadMebibytes} hint={text.uploadMebibytesHint} stored={values.uploadMebibytes} onSave={(uploadMebibytes) => change({ uploadMebibytes })} />
    </>
  );
}
