import type { QueryClient } from '@tanstack/react-query';
import type { Bridge } from '../../shared/bridge.ts';
import { BridgeProvider } from '../bridge/bridge-context.tsx';
import { ToastProvider } from '../components/toasts.tsx';
import { DownloadsProvider } from './downloads.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { LiveQueries } from './live-queries.tsx';
import { LookupDeskProvider } from './lookup-desk.tsx';
import { NavigationProvider } from './navigation.tsx';
import { Shell } from './shell.tsx';

export interface AppProps {
  bridge: Bridge<File>;
  client?: QueryClient;
}

export function App({ bridge, client }: AppProps) {
  return (
    <ErrorBoundary>
      <BridgeProvider bridge={bridge} {...(client === undefined ? {} : { client })}>
        <NavigationProvider>
          <DownloadsProvider>
            <LookupDeskProvider>
              <ToastProvider>
                <LiveQueries />
                <Shell />
              </ToastProvider>
            </LookupDeskProvider>
          </DownloadsProvider>
        </NavigationProvider>
      </BridgeProvider>
    </ErrorBoundary>
  );
}
