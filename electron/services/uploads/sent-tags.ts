import type { StoredUploadFile } from '../../storage/upload-store.ts';

/** A file's tags as services take them: its TLP is one of them. */
export const tagsOf = ({ tags, tlp }: Pick<StoredUploadFile, 'tags' | 'tlp'>): string[] => [...tags, ...(tlp === null ? [] : [`tlp:${tlp}`])];
