import { BlockList, isIP } from 'node:net';

type Environment = Record<string, string | undefined>;

/**
 * The proxy the environment names for an address, by the convention of curl and most command-line tools:
 * `https_proxy`, `http_proxy` (lower case wins), `all_proxy`, and the exceptions in `no_proxy`. Returns
 * `scheme://[user:password@]host:port` or null for none. It may be of any kind and even unreadable: the client refuses
 * that, because a proxy that is passed over would be no protection.
 */
export function environmentProxy(address: string, environment: Environment): string | null {
  const target = new URL(address);
  if (isExempt(target, read(environment, 'no_proxy') ?? '')) return null;
  const named = (
    read(environment, target.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ??
    read(environment, 'all_proxy') ??
    ''
  ).trim();
  return named === '' || named.includes('://') ? named || null : `http://${named}`;
}

function read(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toUpperCase()] || undefined;
}

/**
 * The entries of `no_proxy`, apart by commas or spaces: `*`, host endings, addresses and networks (`10.0.0.0/8`,
 * `fd00::/8`), each for one port where it ends in one. Addresses count for targets that are addresses; no name is
 * resolved for them.
 */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = withoutBrackets(hostname).replace(/\.$/, '');
  const targetPort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const { place, onlyPort } = splitPort(entry);
      if (onlyPort !== null && onlyPort !== targetPort) return false;
      return isIP(host) === 0 ? endsIn(host, place) : isWithin(host, place);
    });
}

function splitPort(entry: string): { place: string; onlyPort: string | null } {
  if (isIP(entry) === 6 || entry.includes('/')) return { place: entry, onlyPort: null };
  const [, place = entry, port = null] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { place: withoutBrackets(place), onlyPort: port };
}

function endsIn(host: string, entry: string): boolean {
  const ending = entry.replace(/^\*?\./, '').replace(/\.$/, '');
  return ending !== '' && (host === ending || host.endsWith(`.${ending}`));
}

function isWithin(address: string, entry: string): boolean {
  const [written = '', bits] = entry.split('/');
  const network = withoutBrackets(written);
  const family = isIP(network);
  if (family === 0) return false;
  const longest = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (!(prefix <= longest)) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

const withoutBrackets = (host: string): string => (/^\[.*\]$/.test(host) ? host.slice(1, -1) : host);

/**
 * The schemes of the supported kinds of a proxy auto-configuration result. A bare `SOCKS` leaves the version open:
 * version 5, which resolves names at the proxy.
 */
const schemes: ReadonlyMap<string, string> = new Map([
  ['PROXY', 'http'],
  ['HTTP', 'http'],
  ['HTTPS', 'https'],
  ['SOCKS', 'socks5'],
  ['SOCKS5', 'socks5'],
  ['SOCKS4', 'socks4'],
]);

/**
 * Reads the answer of Chromium's proxy resolver, such as `PROXY proxy.example:3128; DIRECT`. The first supported entry
 * counts. Returns `scheme://host:port`, or null for a direct connection; where no entry is supported, the first one in
 * the same form, which the client refuses.
 */
export function proxyOfResolution(resolution: string): string | null {
  let firstRefused: string | null = null;
  for (const entry of resolution.split(';')) {
    const [kind = '', place = ''] = entry.trim().split(/\s+/);
    if (kind === '') continue;
    if (kind.toUpperCase() === 'DIRECT') return null;
    const scheme = schemes.get(kind.toUpperCase());
    if (scheme !== undefined && URL.canParse(`http://${place}`)) return `${scheme}://${place}`;
    firstRefused ??= `${scheme ?? kind.toLowerCase()}://${place}`;
  }
  // Without an entry, the resolver failed: the system may insist on a proxy that it cannot name.
  return firstRefused ?? '';
}
