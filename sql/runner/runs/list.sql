-- Lists ready, running and dead runs, newest first. $1: the job. $2: the state. $3: the maximum number of runs. $4: the
-- key. $5 and $6: the inclusive start and the exclusive end of the range for the due time or the time of death. $7: a
-- part of the last error, case-insensitive. $8: the name of a worker that executes the run, or in which an attempt has
-- failed. If a parameter other than $3 is null, it applies no filter. Rows: id, job, key, state, attempt, due time or
-- time of death, error. Locks: none. Indexes: run_pkey and dead_run_key if $1 and $4 are not null, run_running,
-- failed_attempt_run. If $1 or $4 is null, the statement reads all runs in the state $2.
select id, job, key, state, attempt,
  iso_text(at, '.MS'), error
from (
  -- While the domain clock is frozen, the `due` column of a future run is infinity. The list then contains `run_at`,
  -- which is a time of the domain clock.
  select id, job, key, 'ready' as state, attempt, case when isfinite(due) then due else run_at end as at,
    last_error as error, worker
  from run where worker is null and coalesce($2::text, 'ready') = 'ready'
  union all
  select id, job, key, 'running', attempt, case when isfinite(due) then due else run_at end, last_error, worker
  from run where worker is not null and coalesce($2::text, 'running') = 'running'
  union all
  select id, job, key, 'dead', attempt, died_at, error, null from dead_run where coalesce($2::text, 'dead') = 'dead'
) r
where ($1::text is null or job = $1) and ($4::text is null or key = $4)
  and ($5::timestamptz is null or at >= $5) and ($6::timestamptz is null or at < $6)
  and ($7::text is null or strpos(lower(error), lower($7)) > 0)
  and ($8::text is null or exists (select from worker w where w.id = r.worker and w.name = $8)
    or exists (select from failed_attempt a where a.run_id = r.id and a.worker = $8 and not a.is_snooze))
order by id desc
limit $3
