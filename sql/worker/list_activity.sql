-- When each job last ran and how much it did. Rows: job, last ran at, runs, batches. Locks: none.
select job, to_char(last_ran_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), runs, batches
from job_activity
order by job
