type Environment = Record<string, string | undefined>;

/**
 * The proxy the environment names for an address, by the convention of curl and most command-line tools:
 * `https_proxy`, `http_proxy` (lower case wins), `all_proxy`, and `no_proxy` as a comma-separated list of host endings.
 * Returns `http://[user:password@]host:port` or null. Only http proxies are used.
 */
export function environmentProxy(address: string, environment: Environment): string | null {
  const { protocol, hostname } = new URL(address);
  if (isExempt(hostname, read(environment, 'no_proxy') ?? '')) return null;
  const named =
    read(environment, protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? read(environment, 'all_proxy');
  return named ? httpProxy(named) : null;
}

function read(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toUpperCase()] || undefined;
}

function isExempt(hostname: string, list: string): boolean {
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => {
      if (entry === '*') return true;
      const ending = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
      return ending !== '' && (hostname === ending || hostname.endsWith(`.${ending}`));
    });
}

function httpProxy(named: string): string | null {
  const url = URL.parse(named.includes('://') ? named : `http://${named}`);
  return url?.protocol === 'http:' ? url.href.replace(/\/$/, '') : null;
}

/**
 * Reads the answer of Chromium's proxy resolver, such as `PROXY proxy.example:3128; DIRECT` (the format of proxy
 * auto-configuration results). The first supported way counts: http proxies and none. Returns `http://host:port` or
 * null for none.
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
