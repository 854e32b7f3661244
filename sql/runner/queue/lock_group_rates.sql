-- Waits until no other transaction claims runs of a job with a rate for each group. Until COMMIT, no claim adds starts
-- or turns of these jobs. A separate statement must read the starts and the turns, so that it sees those of the
-- previous claims. Rows: one row for each of these jobs. Locks: the rows of these jobs in job_limit, in the order of
-- their names. Index: none, because the table has one row for each job with limits.
select from job_limit where group_interval is not null order by job for no key update
