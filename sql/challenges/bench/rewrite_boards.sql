-- Rewrites the table of boards, to remove the dead rows of an earlier close. Rows: none. Locks: the table, ACCESS
-- EXCLUSIVE.
vacuum full baton_bench.challenge
