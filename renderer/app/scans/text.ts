/** English of beginning a scan or a hunt, wherever in the page one is. */
export const text = {
  notBegun: {
    'scans.start': (why: string) => `The scan did not begin: ${why}`,
    'hunts.start': (why: string) => `The hunt did not begin: ${why}`,
  },
} as const;
