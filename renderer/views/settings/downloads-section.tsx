import { useSettings } from '../../state/settings.ts';
import { NumberSetting } from './number-setting.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

export function DownloadsSection() {
  const { values, change, isKnown } = useSettings();
  if (!isKnown) return null;
  return (
    <>
      <p className={styles.sentence}>{text.downloadsSentence}</p>
      <NumberSetting
        name="bulkUrlBytes"
        label={text.urlBytes}
        hint={text.urlBytesHint}
        stored={values.bulkUrlBytes}
        onSave={(bulkUrlBytes) => change({ bulkUrlBytes })}
      />
      <NumberSetting
        name="bulkConnections"
        label={text.connections}
        hint={text.connectionsHint}
        stored={values.bulkConnections}
        onSave={(bulkConnections) => change({ bulkConnections })}
      />
    </>
  );
}
