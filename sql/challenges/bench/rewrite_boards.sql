-- Rewrites the table of boards, so that it contains no dead rows of an earlier close. Rows: none. Locks: it, ACCESS
-- EXCLUSIVE.
vacuum full baton_bench.challenge
