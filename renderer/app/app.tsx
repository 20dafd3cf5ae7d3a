import type { QueryClient } from '@tanstack/react-query';
import type { Bridge } from '../../shared/transport.ts';
import { BridgeProvider } from '../bridge/bridge-context.tsx';
import { ToastProvider } from '../components/toasts.tsx';
import type { HashReader } from '../views/bulk-download/hash-reader.ts';
import { AdditionsProvider } from './additions/additions.tsx';
import { BulkDeskProvider } from './bulk-desk.tsx';
import { BundleDeskProvider } from './bundle/bundle-desk.tsx';
import { CommentsPlaceProvider } from './comments/comments-place.tsx';
import { DiagnosticsProvider } from './diagnostics/diagnostics-provider.tsx';
import { DownloadsProvider } from './downloads.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { PanelPlacesProvider } from './job-items/panel-places.tsx';
import { JobsProvider } from './jobs.tsx';
import { JournalPlaceProvider } from './journal/journal-place.tsx';
import { LastAnswerProvider } from './last-answer.tsx';
import { LateQuestionsProvider } from './late-questions.tsx';
import { LibraryPlaceProvider } from './library/library-place.tsx';
import { LiveQueries } from './live-queries.tsx';
import { LookupDeskProvider } from './lookup-desk.tsx';
import { NavigationProvider } from './navigation.tsx';
import { PublicationsPlaceProvider } from './publications/publications-place.tsx';
import { ScanDeskProvider } from './scans/scan-desk.tsx';
import { ScanPlacesProvider } from './scans/scan-places.tsx';
import { Shell } from './shell.tsx';
import { UploadDeskProvider } from './uploads/upload-desk.tsx';
import { WorkspaceFormProvider } from './workspace-form-place.tsx';

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
              <LookupDeskProvider>
                <ToastProvider>
                  <JobsProvider>
                    <PanelPlacesProvider>
                      <BulkDeskProvider openReader={openReader}>
                        <UploadDeskProvider>
                          <CommentsPlaceProvider>
                            <PublicationsPlaceProvider>
                              <ScanPlacesProvider>
                                <ScanDeskProvider>
                                  <LibraryPlaceProvider>
                                    <JournalPlaceProvider>
                                      <WorkspaceFormProvider>
                                        <DiagnosticsProvider>
                                          <BundleDeskProvider>
                                            <LateQuestionsProvider>
                                              <AdditionsProvider>
                                                <LiveQueries />
                                                <Shell />
                                              </AdditionsProvider>
                                            </LateQuestionsProvider>
                                          </BundleDeskProvider>
                                        </DiagnosticsProvider>
                                      </WorkspaceFormProvider>
                                    </JournalPlaceProvider>
                                  </LibraryPlaceProvider>
                                </ScanDeskProvider>
                              </ScanPlacesProvider>
                            </PublicationsPlaceProvider>
                          </CommentsPlaceProvider>
                        </UploadDeskProvider>
                      </BulkDeskProvider>
                    </PanelPlacesProvider>
                  </JobsProvider>
                </ToastProvider>
              </LookupDeskProvider>
            </LastAnswerProvider>
          </DownloadsProvider>
        </NavigationProvider>
      </BridgeProvider>
    </ErrorBoundary>
  );
}
