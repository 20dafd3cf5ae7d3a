/** Controls, and the marks that turn text around: a name could use them to look like another (`fdp.exe` as `exe.pdf`). */
// oxlint-disable-next-line no-control-regex -- controls are what it looks for
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Shows what would be invisible as `\u202e`, so that what is read is what is there. New lines and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
