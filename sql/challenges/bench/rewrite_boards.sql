-- Rewrites the board table, to remove the dead rows from an earlier measurement. Rows: none. Locks: the board table,
-- ACCESS EXCLUSIVE.
vacuum full baton_bench.challenge
