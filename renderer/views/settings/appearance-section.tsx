import { showTheme } from '../../app/theme.ts';
import { useSettings } from '../../app/use-settings.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

const themes = [
  { value: 'system', text: text.themes.system },
  { value: 'light', text: text.themes.light },
  { value: 'dark', text: text.themes.dark },
] as const;

export function AppearanceSection() {
  const { values, change } = useSettings();
  const choose = (theme: (typeof themes)[number]['value']): void => {
    showTheme(theme);
    change({ theme });
  };
  return (
    <>
      <RadioChoice label={text.theme} value={values.theme} options={themes} onChange={choose} />
      <Notifications />
    </>
  );
}

function Notifications() {
  const { values, change } = useSettings();
  const { data: host } = useOperation('host.describe', {});
  if (host?.capabilities.notifications !== true) return null;
  return (
    <>
      <Checkbox isSelected={values.notifications} onChange={(notifications) => change({ notifications })}>{text.notifications}</Checkbox>
      <p className={styles.sentence}>{text.notificationsThen}</p>
    </>
  );
}
