import { useSyncExternalStore } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useToast } from '../../components/toasts.tsx';
import { pressByKey } from '../../keyboard/press-by-key.ts';
import type { Command } from '../../state/command.ts';
import { usePaletteContext } from '../../state/commands.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { buttonNow, shownView, type ViewButton } from '../../state/view-buttons.ts';
import { text } from './strings.ts';

/**
 * What can be done in the view that is shown, as its buttons stood when the palette opened or the text changed:
 * choosing one presses the button.
 */
export function useViewActions(): Command[] {
  const { desk } = usePaletteContext();
  const buttons = useSyncExternalStore(desk.subscribe, desk.buttons);
  const { room } = useNavigation();
  const { values } = useSettings();
  const toast = useToast();
  const press = (button: ViewButton): void => {
    const now = buttonNow(shownView(), button);
    if (now === null) toast({ meaning: 'info', text: text.gone(visibleText(button.name)) });
    else pressByKey(now);
  };
  return buttons.map((button) => ({
    id: `button:${room}:${button.name}`,
    title: visibleText(button.name),
    ...(button.keywords === null ? {} : { keywords: button.keywords }),
    ...(button.keys !== null && (button.letter === null || values.singleLetterKeys) ? { keys: button.keys } : {}),
    run: () => press(button),
  }));
}
