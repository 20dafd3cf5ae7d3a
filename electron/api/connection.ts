import type { Timeouts, Trust } from '../../shared/domain/workspace.ts';
import type { ServiceName } from '../../shared/failure.ts';

/** Everything it takes to reach one service of one workspace. Holds the token: never logged, never sent to the page. */
export interface Connection {
  service: ServiceName;
  /** As `checkAddress` gives it: no trailing slash, user info, query or fragment, and without `/api.php`. */
  baseUrl: string;
  /** null: the calls go out without one, and a 401 is then the failure `token-missing`. */
  token: string | null;
  trust: Trust;
  timeouts: Timeouts;
  /** The proxy for an address as `http://host:port`, or null. Never asked for a loopback address. */
  proxyFor(address: string): Promise<string | null>;
}
