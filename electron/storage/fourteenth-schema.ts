/** Version 14: a rule package remembers what the file, or the files, it came from were called. */
export const fourteenthSchema = 'ALTER TABLE rule_package ADD COLUMN file_name TEXT;';
