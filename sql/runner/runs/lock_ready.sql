-- Locks and lists waiting runs that an operator wants to cancel, ordered by job, key and id. $1: the job, or null for
-- all jobs. $2: the key prefix, or null for all keys. $3, $4 and $6: the job, the key and the id after which the list
-- starts, or null on the first page. $5: the maximum number of runs. Rows: id, job, key, state, attempt, due time,
-- error. Locks: the runs, in the same order in which the `fold` statement locks runs. Index: run_pkey.
select id, job, key, 'ready', attempt, iso_text(case when isfinite(due) then due else run_at end, '.MS'), last_error
from run
where worker is null and ($1::text is null or job = $1) and ($2::text is null or starts_with(key, $2))
  and ($3::text is null or (job, key, id) > ($3, $4, $6::bigint))
order by job, key, id
limit $5
for update
