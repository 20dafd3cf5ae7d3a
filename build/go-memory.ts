/**
 * The compiler and the lint of types are short programs in Go: what they throw away stays until they end, or hold so
 * much, for a fifth of their time.
 */
export function seldomCollected(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { GOGC: 'off', GOMEMLIMIT: '2GiB', ...environment };
}
