-- Rewrites the table of boards, to remove the dead rows that an earlier measurement has left. Rows: none. Locks: the
-- table of boards, ACCESS EXCLUSIVE.
vacuum full baton_bench.challenge
