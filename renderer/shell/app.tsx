import type { QueryClient } from '@tanstack/react-query';
import type { Bridge } from '../../shared/transport.ts';
import { BridgeProvider } from '../bridge/bridge-context.tsx';
import { ToastProvider } from '../components/toasts.tsx';
import { AdditionsProvider } from '../features/additions/additions.tsx';
import { BulkStoreProvider } from '../features/bulk-download/bulk-store.tsx';
import type { HashReader } from '../features/bulk-download/hash-reader.ts';
import { BundleStoreProvider } from '../features/bundle/bundle-store.tsx';
import { CommentsPlaceProvider } from '../features/comments/comments-place.tsx';
import { DiagnosticsProvider } from '../features/diagnostics/diagnostics.tsx';
import { PanelPlacesProvider } from '../features/jobs/panel-places.tsx';
import { JournalPlaceProvider } from '../features/journal/journal-place.tsx';
import { LibraryPlaceProvider } from '../features/library/library-place.tsx';
import { LastAnswerProvider } from '../features/lookup/last-answer.tsx';
import { LookupStoreProvider } from '../features/lookup/lookup-store.tsx';
import { TriageStoreProvider } from '../features/lookup/triage-store.tsx';
import { PublicationsPlaceProvider } from '../features/publications/publications-place.tsx';
import { ScanPlacesProvider } from '../features/scans/scan-places.tsx';
import { ScanStoreProvider } from '../features/scans/scan-store.tsx';
import { UploadStoreProvider } from '../features/uploads/upload-store.tsx';
import { AppDialogsProvider } from '../state/app-dialogs.tsx';
import { DownloadsProvider } from '../state/downloads.tsx';
import { JobsProvider } from '../state/jobs.tsx';
import { NavigationProvider } from '../state/navigation.tsx';
import { WorkspaceFormProvider } from '../views/settings/workspace-form-place.tsx';
import { LiveQueries } from './live-queries.tsx';
import { Shell } from './shell.tsx';
import { ErrorBoundary } from './view-loader.tsx';

export interface AppProps {
  bridge: Bridge<File>;
  client?: QueryClient;
  /** Reads pasted texts for hashes: in a thread of its own, unless another is given. */
  openReader?: () => HashReader;
}

export function App({ bridge, client, openReader }: AppProps) {
  return (
    <ErrorBoundary>
      <BridgeProvider bridge={bridge} {...(client === undefined ? {} : { client })}>
        <NavigationProvider>
          <DownloadsProvider>
            <LastAnswerProvider>
              <LookupStoreProvider>
                <ToastProvider>
                  <JobsProvider>
                    <PanelPlacesProvider>
                      <TriageStoreProvider openReader={openReader}>
                        <BulkStoreProvider openReader={openReader}>
                          <UploadStoreProvider>
                            <CommentsPlaceProvider>
                              <PublicationsPlaceProvider>
                                <ScanPlacesProvider>
                                  <ScanStoreProvider>
                                    <LibraryPlaceProvider>
                                      <JournalPlaceProvider>
                                        <WorkspaceFormProvider>
                                          <DiagnosticsProvider>
                                            <BundleStoreProvider>
                                              <AppDialogsProvider>
                                                <AdditionsProvider>
                                                  <LiveQueries />
                                                  <Shell />
                                                </AdditionsProvider>
                                              </AppDialogsProvider>
                                            </BundleStoreProvider>
                                          </DiagnosticsProvider>
                                        </WorkspaceFormProvider>
                                      </JournalPlaceProvider>
                                    </LibraryPlaceProvider>
                                  </ScanStoreProvider>
                                </ScanPlacesProvider>
                              </PublicationsPlaceProvider>
                            </CommentsPlaceProvider>
                          </UploadStoreProvider>
                        </BulkStoreProvider>
                      </TriageStoreProvider>
                    </PanelPlacesProvider>
                  </JobsProvider>
                </ToastProvider>
              </LookupStoreProvider>
            </LastAnswerProvider>
          </DownloadsProvider>
        </NavigationProvider>
      </BridgeProvider>
    </ErrorBoundary>
  );
}
