/** English of YARA sources. */
export const text = {
  rest: (shown: number, lines: number) =>
    shown < lines
      ? `Shown are ${shown.toLocaleString('en')} of ${lines.toLocaleString('en')} lines.`
      : 'Long lines are cut here.',
  marked: (line: number) => `Line ${line}, marked`,
} as const;
