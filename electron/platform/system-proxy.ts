/**
 * Reads what Chromium's proxy resolver says, such as `PROXY proxy.example:3128; DIRECT` (the format of proxy
 * auto-configuration results). The first way that we can go counts: http proxies and none. Returns `http://host:port`
 * or null for none.
 */
export function proxyOfResolution(resolution: string): string | null {
  for (const entry of resolution.split(';')) {
    const [kind, place] = entry.trim().split(/\s+/);
    if (kind?.toUpperCase() === 'DIRECT') return null;
    if (kind?.toUpperCase() === 'PROXY' && place !== undefined && URL.canParse(`http://${place}`))
      return `http://${place}`;
  }
  return null;
}
