import { useSettings } from '../../app/use-settings.ts';
import typography from '../../styles/typography.module.css';
import { NumberSetting } from './number-setting.tsx';
import { text } from './text.ts';

export function DownloadsSection() {
  const { values, change, isKnown } = useSettings();
  if (!isKnown) return null;
  return (
    <>
      <p className={typography.sentence}>{text.downloadsSentence}</p>
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
