-- Locks ready runs that an operator wants to cancel, and lists them in the order of jobs and keys. $1: the job. $2: the
-- key prefix. $1 and $2 may be null for no restriction. $3 and $4 are the job and the key after which the list begins
-- (null: at the beginning), $5 is the maximum number. Rows: id, job, key, state, attempt, due time, error. Locks: the
-- runs, in the order in which fold locks them. Index: run_pkey.
select id, job, key, state, attempt, iso_text(case when isfinite(due) then due else run_at end, '.MS'), last_error
from run
where state = 'ready' and ($1::text is null or job = $1) and ($2::text is null or starts_with(key, $2))
  and ($3::text is null or (job, key) > ($3, $4))
order by job, key
limit $5
for update
