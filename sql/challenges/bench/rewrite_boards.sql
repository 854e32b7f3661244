-- Rewrites the table of boards, so that the table contains no dead rows of an earlier close. Rows: none. Locks: the
-- table, ACCESS EXCLUSIVE.
vacuum full baton_bench.challenge
