-- Drops the schema that the phones of an earlier demo left on the demo's server. Rows: none. Locks: all objects in the
-- schema.
drop schema if exists demo_phones cascade
