-- Lets dead runs be tried again, with all their attempts. $1 an id or null, $2 a job or null.
-- Rows: the number. Locks: those dead runs. Each becomes an event, as everything that wakes a job.
with revived as (
  delete from dead_run
  where ($1::bigint is null or id = $1) and ($2::text is null or job = $2)
  returning job, key, payload
)
select enqueue(job, key, payload) from revived order by job, key
