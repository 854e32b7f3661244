-- Lists ready, running and dead runs, newest first. $1: the job, or null for all jobs. $2: the state, or null for all
-- states. $3: the maximum number of runs. Rows: id, job, key, state, attempt, due time or time of death, error. Locks:
-- none.
select id, job, key, state, attempt,
  iso_text(at, '.MS'), error
from (
  -- While the domain clock is frozen, the due time of a future run is infinity. The list then shows run_at, which is
  -- in domain time.
  select id, job, key, case when worker is null then 'ready' else 'running' end as state, attempt,
    case when isfinite(due) then due else run_at end as at,
    last_error as error
  from run
  union all
  select id, job, key, 'dead', attempt, died_at, error from dead_run
) r
where ($1::text is null or job = $1) and ($2::text is null or state = $2)
order by id desc
limit $3
