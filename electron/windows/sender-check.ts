import { isPageAddress } from './page-address.ts';

/** What this needs of Electron's `IpcMainInvokeEvent`. */
export interface SenderEvent {
  /** Null when the frame has navigated or is gone. */
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}

/**
 * Whether a message comes from the main frame of our own page. A frame inside it, a page that got in by navigation
 * or a frame that is gone is not listened to, whatever it asks for.
 */
export function isFromOwnPage({ senderFrame }: SenderEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isPageAddress(senderFrame.url);
}
