import type { ServiceName } from '../../shared/failure.ts';
import type { Redaction } from '../base/redaction.ts';

/** One call to a service, without its token. */
export interface Call {
  action: string;
  /** In the order in which they are sent. */
  parameters: readonly (readonly [name: string, value: string])[];
  /**
   * The hashes of the call, lower case, none when it has none; they distinguish "no such sample" from "no such action".
   */
  hashes: readonly string[];
}

/** What failures say about a call: where it went and for what. Nothing here is secret. */
export interface CallFacts {
  service: ServiceName;
  /** `https://host:port/path/api.php`, without query. */
  address: string;
  action: string;
  hashes: readonly string[];
  hasToken: boolean;
  redaction: Redaction;
}

/** A reply that was read to its end. */
export interface WholeReply {
  status: number;
  body: Uint8Array;
}
