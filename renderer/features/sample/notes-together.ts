const lines = (note: string): string => `\n${note}\n`;

/**
 * Two notes of one sample, neither of which knew the other: the host's, and below it one's own. What is whole in the
 * other is not told twice.
 */
export function notesTogether(stored: string, own: string): string {
  if (own === '' || lines(stored).includes(lines(own))) return stored;
  if (stored === '' || lines(own).includes(lines(stored))) return own;
  return `${stored}\n\n---\n\n${own}`;
}
