import { showTheme } from '../../app/theme.ts';
import { useSettings } from '../../app/use-settings.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
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
  return <RadioChoice label={text.theme} value={values.theme} options={themes} onChange={choose} />;
}
