-- Version 25: when a job that waits goes on by itself, because its service asked for a pause.

ALTER TABLE job ADD COLUMN resumes_at TEXT;
