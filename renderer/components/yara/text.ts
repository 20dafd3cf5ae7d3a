/** English of YARA sources. */
export const text = {
  rest: (shown: number, lines: number) =>
    shown < lines
      ? `Showing ${shown.toLocaleString('en')} of ${lines.toLocaleString('en')} lines.`
      : 'Long lines are shortened.',
  marked: (line: number) => `Line ${line}, highlighted`,
} as const;
