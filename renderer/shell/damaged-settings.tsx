import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useSettings } from '../state/settings.ts';
import { text } from '../state/strings.ts';
import styles from './shell.module.css';

/** A setting that could not be read is back at its default: that is said, by name, until it is dismissed. */
export function DamagedSettings() {
  const { damaged } = useSettings();
  const { openRoom } = useNavigation();
  const [dismissed, setDismissed] = useState(false);
  if (damaged.length === 0 || dismissed) return null;
  const names = damaged.map((name) => text.settingNames[name]).join(', ');
  return (
    <div className={styles.above}>
      <Notice
        meaning="warn"
        title={text.damaged(names)}
        isAlert
        actions={
          <>
            <Button size="small" onPress={() => openRoom('settings')}>
              {text.openSettings}
            </Button>
            <Button size="small" look="quiet" onPress={() => setDismissed(true)}>
              {text.dismiss}
            </Button>
          </>
        }
      >
        {text.damagedThen}
      </Notice>
    </div>
  );
}
