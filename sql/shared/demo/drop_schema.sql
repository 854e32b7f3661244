-- Drops the schema that an earlier demo left on the demo's server. Rows: none. Locks: all objects of the schema.
drop schema if exists demo cascade
