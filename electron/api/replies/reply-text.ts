/** Reads bytes as UTF-8 for a look at what they are; a byte order mark is dropped and bad bytes are replaced. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

const xmlDeclaration = String.raw`<\?xml[^>]{0,200}>\s*`;
const comment = String.raw`<!--[^]{0,2000}?-->\s*`;
const pageTag = String.raw`<(?:!doctype\s+html|html|head|body|title|meta|script)\b`;
const webPage = new RegExp(String.raw`^\s*(?:${xmlDeclaration})?(?:${comment})?${pageTag}`, 'i');

/** A web page, as opposed to the bits of markup (`<br />`, `<b>`) that PHP puts before a warning. */
export function isWebPage(text: string): boolean {
  return webPage.test(text.slice(0, 4096));
}
