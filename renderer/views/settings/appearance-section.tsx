import { showTheme } from '../../app/theme.ts';
import { useSettings } from '../../app/use-settings.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import typography from '../../styles/typography.module.css';
import { text } from './text.ts';

const themes = [
  { value: 'system', text: text.themes.system },
  { value: 'light', text: text.themes.light },
  { value: 'dark', text: text.themes.dark },
] as const;

const closings = [
  { value: 'ask', text: text.whenClosedChoices.ask },
  { value: 'tray', text: text.whenClosedChoices.tray },
  { value: 'quit', text: text.whenClosedChoices.quit },
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
      <WhenClosed />
      <Notifications />
    </>
  );
}

function WhenClosed() {
  const { values, change } = useSettings();
  const { data: host } = useOperation('host.describe', {});
  if (host?.capabilities.staysInTray !== true) return null;
  return (
    <RadioChoice
      label={text.whenClosed}
      value={values.whenClosed}
      options={closings}
      onChange={(whenClosed) => change({ whenClosed })}
      hint={text.whenClosedHint}
    />
  );
}

function Notifications() {
  const { values, change } = useSettings();
  const { data: host } = useOperation('host.describe', {});
  if (host?.capabilities.notifications !== true) return null;
  return (
    <>
      <Checkbox isSelected={values.notifications} onChange={(notifications) => change({ notifications })}>
        {text.notifications}
      </Checkbox>
      <p className={typography.sentence}>{text.notificationsThen}</p>
    </>
  );
}
