/** What the HTTP bridge needs of the page it runs in. */
export interface PageSurroundings {
  /** Put before every path; empty for the page's own origin. */
  origin: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Kept for this tab only, reloads included. */
  storage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  /** The secret of a one-time link in the address, which is taken out of it; null when there is none. */
  takeLinkSecret(): string | null;
  /** Calls the listener when another link is opened in this tab, which does not load the page again. */
  onLink(listener: () => void): void;
}
