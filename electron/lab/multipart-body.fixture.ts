/** For tests: a multipart body made by hand, each byte of it known. */
export const boundary = 'X-vitrine-test';
export const formHeaders = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };

export interface TestPart {
  /** The Content-Disposition behind `form-data; `, as it is. */
  disposition: string;
  content: string | Uint8Array;
}

export const field = (name: string, value: string): TestPart => ({ disposition: `name="${name}"`, content: value });
export const file = (name: string, content: string | Uint8Array, fieldName = 'files[]'): TestPart => ({
  disposition: `name="${fieldName}"; filename="${name}"`,
  content,
});

export function multipart(...parts: TestPart[]): Buffer {
  const pieces = parts.flatMap(({ disposition, content }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}
