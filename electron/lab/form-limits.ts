/** What one request with a form may bring. */
export interface FormLimits {
  files: number;
  fields: number;
  fileBytes: number;
  /** The whole body, with its heads and boundaries. */
  requestBytes: number;
  /** One text: a field, or a comment. */
  fieldBytes: number;
}

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

export const usualFormLimits: FormLimits = {
  files: 100,
  fields: 1000,
  fileBytes: 16 * gibibyte,
  requestBytes: 32 * gibibyte,
  fieldBytes: mebibyte,
};
