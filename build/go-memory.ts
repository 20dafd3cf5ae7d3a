/** The compiler and the lint of types are short programs in Go: half of what they throw away may stay until they end, for a fifth of their time. */
export function seldomCollected(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { GOGC: '200', ...environment };
}
