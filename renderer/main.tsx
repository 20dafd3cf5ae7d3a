import './bridge/zod-without-eval.ts';
import './styles/tokens.css';
import './styles/fonts.css';
import './styles/base.css';
// Before every style of a view or a component, which may say more than these.
import './styles/layout.module.css';
import './styles/typography.module.css';
import './styles/surface.module.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openBridge } from './bridge/bridge.ts';
import { createQueryClient, refreshLocalState } from './bridge/query-client.ts';
import { recentLookups } from './features/lookup/lookup-store.tsx';
import { rememberedTheme, rememberedTimes } from './memory/preferences.ts';
import { App } from './shell/app.tsx';
import { disableUnloadCleanup } from './shell/start-up.ts';
import { loadViewsWhenIdle } from './shell/view-loader.tsx';
import { loadDialogsWhenIdle } from './state/lazy-dialog.tsx';
import { showTheme, showTimes } from './state/settings.ts';

disableUnloadCleanup(window);
showTheme(rememberedTheme());
showTimes(rememberedTimes());
void recentLookups.load();

const client = createQueryClient();
const bridge = openBridge({
  onConnected: () => void refreshLocalState(client),
  // Asked whether it is there: what it does not answer is said above everything.
  onLost: () => void client.invalidateQueries({ queryKey: ['host.describe'] }),
});
const page = document.getElementById('page');
if (!page) throw new Error('the page has no place to draw in');
createRoot(page).render(
  <StrictMode>
    <App bridge={bridge} client={client} />
  </StrictMode>,
);
void loadViewsWhenIdle().then(loadDialogsWhenIdle);
