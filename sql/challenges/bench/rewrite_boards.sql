-- Rewrites the table of boards, to remove the dead rows of an earlier measurement. Rows: none. Locks: the table of
-- boards, ACCESS EXCLUSIVE.
vacuum full baton_bench.challenge
