/** What rules may ask of a file besides its bytes: `filename` and `extension`. */
export function fileVariables(name: string): Readonly<Record<string, string>> {
  return { filename: name, extension: extensionOf(name) };
}

/** Behind the last dot, in lower case and without the dot. A name that begins with its only dot has none, as in Python's `os.path.splitext`. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}
