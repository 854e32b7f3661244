-- Drops the schema that an earlier demo left on the demo's own server. Rows: none. Locks: all of it.
drop schema if exists demo cascade
