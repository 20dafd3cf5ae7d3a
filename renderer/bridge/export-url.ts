/** Where the browser fetches an export prepared for it, once: the `href` of an `<a download>` (web host only). */
export function exportUrl(id: string): string {
  return `/export/${encodeURIComponent(id)}`;
}
