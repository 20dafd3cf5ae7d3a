/** What a column of JSON text holds; undefined, which no JSON is, when it cannot be read. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
