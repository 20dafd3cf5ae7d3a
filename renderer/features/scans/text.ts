/** English of starting a scan or a hunt from any view. */
export const text = {
  notBegun: {
    'scans.start': (why: string) => `Scan not started: ${why}`,
    'hunts.start': (why: string) => `Hunt not started: ${why}`,
  },
} as const;
