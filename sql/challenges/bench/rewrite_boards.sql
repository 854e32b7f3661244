-- Leaves nothing of an earlier close in the boards' table. Rows: none. Locks: it, ACCESS EXCLUSIVE.
vacuum full baton_bench.challenge
