import { titleBarHeight } from './title-bar.ts';

/** What this needs of Electron's `webContents`. */
export interface KeyedPage {
  on(event: 'before-input-event', listener: (event: { preventDefault(): void }, input: KeyInput) => void): unknown;
}

interface KeyInput {
  type: string;
  key: string;
  control: boolean;
  shift: boolean;
  alt: boolean;
  meta: boolean;
}

/**
 * A window without a title bar has no menu bar on Windows and Linux. Its keys go on, and F10, which led there, shows
 * the same menu.
 */
export function openMenuByKey(
  page: KeyedPage,
  system: NodeJS.Platform,
  show: (place: { x: number; y: number }) => void,
): void {
  if (system === 'darwin') return;
  page.on('before-input-event', (event, input) => {
    if (!isMenuKey(input)) return;
    event.preventDefault();
    show({ x: 0, y: titleBarHeight });
  });
}

const isMenuKey = ({ type, key, control, shift, alt, meta }: KeyInput): boolean =>
  type === 'keyDown' && key === 'F10' && !control && !shift && !alt && !meta;
