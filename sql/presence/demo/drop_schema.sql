-- Drops what an earlier demo left in the demo's own server. Rows: none. Locks: all of it.
drop schema if exists demo cascade
