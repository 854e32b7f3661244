-- Reads and locks the limits of a job. $1: the job's stored name. Rows: one row with the set concurrency of the job and
-- of each group (null if no limit is set), and whether runs have groups. If the job does not exist, no rows are
-- returned. Locks: the row of the limits, until the transaction ends. Claims of the job wait for the lock, so later
-- claims use the new limits. Indexes: job_pkey, job_limit_pkey.
with locked as (
  select * from job_limit where job = $1 for no key update
)
select l.set_concurrency, l.set_group_concurrency,
  coalesce(l.group_field, l.group_separator) is not null
    and coalesce(l.declared_group_concurrency::bigint, l.group_burst) is not null
from job j
left join locked l on l.job = j.name
where j.name = $1
