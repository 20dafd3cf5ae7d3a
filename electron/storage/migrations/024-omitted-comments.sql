-- Version 24: how many older comments a service listed of a sample besides those that are kept.

ALTER TABLE record ADD COLUMN comments_omitted INTEGER NOT NULL DEFAULT 0;
