/** English of the activity. */
export const text = {
  title: 'Activity',
  line: (running: number, halted: number, paused: number, past: number) =>
    [
      [running, 'running'],
      [halted, 'halted'],
      [paused, 'paused'],
      [past, 'ended'],
    ]
      .flatMap(([count, word]) => (count === 0 ? [] : `${count} ${word}`))
      .join(', '),
  list: 'Jobs',
  column: 'Job',
  emptyTitle: 'No jobs yet',
  emptySentence:
    'Bulk downloads, scans and exports run as jobs. Their progress and results are shown here, even after a restart.',
  emptyAction: 'Start bulk download',
  job: (id: number) => `Job ${id}`,
  results: 'Show results',
  of: (settled: string, items: string) => `${settled} of ${items}`,
} as const;
