/** English of the activity. */
export const text = {
  title: 'Activity',
  line: (running: number, halted: number, paused: number, past: number) =>
    [
      [running, 'running'],
      [halted, 'halted'],
      [paused, 'paused'],
      [past, 'over'],
    ]
      .flatMap(([count, word]) => (count === 0 ? [] : `${count} ${word}`))
      .join(', '),
  list: 'Jobs',
  column: 'Job',
  emptyTitle: 'No job yet',
  emptySentence:
    'A bulk download, a scan or an export of many samples is a job: how far it is and what became of each sample is read here, also after a restart.',
  emptyAction: 'Start a bulk download',
  job: (id: number) => `Job ${id}`,
  results: 'Show the results',
  of: (settled: string, items: string) => `${settled} of ${items}`,
} as const;
