import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { Bridge } from '../../shared/transport.ts';
import { BridgeProvider } from '../bridge/bridge-context.tsx';
import { ToastProvider } from '../components/toasts.tsx';
import { AppDialogsProvider } from '../state/app-dialogs.tsx';
import { JobsProvider } from '../state/jobs.tsx';
import { NavigationProvider } from '../state/navigation.tsx';

export interface TestProvidersProps {
  bridge: Bridge<File>;
  client?: QueryClient;
  /** Providers of features, the outermost first. */
  features?: readonly ComponentType<{ children: ReactNode }>[];
  children: ReactNode;
}

/** What every view expects around it, over the host that is given. */
export function TestProviders({ bridge, client, features = [], children }: TestProvidersProps) {
  const inner = features.reduceRight<ReactNode>(
    (inside, Provider) => <Provider>{inside}</Provider>,
    <AppDialogsProvider>{children}</AppDialogsProvider>,
  );
  return (
    <BridgeProvider bridge={bridge} {...(client === undefined ? {} : { client })}>
      <NavigationProvider>
        <ToastProvider>
          <JobsProvider>{inner}</JobsProvider>
        </ToastProvider>
      </NavigationProvider>
    </BridgeProvider>
  );
}
