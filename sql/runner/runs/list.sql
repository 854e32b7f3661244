-- Runs that are waiting, running or dead, newest first. $1 job or null, $2 state or null,
-- $3 how many. Rows: id, job, key, state, attempt, when (due, died), error. Locks: none.
select id, job, key, state, attempt,
  iso_text(at, '.MS'), error
from (
  -- While a clock is frozen, a run after its time is due at infinity: the list then shows run_at, in domain time.
  select id, job, key, state::text, attempt, case when isfinite(due) then due else run_at end as at,
    last_error as error
  from run
  union all
  select id, job, key, 'dead', attempt, died_at, error from dead_run
) r
where ($1::text is null or job = $1) and ($2::text is null or state = $2)
order by id desc
limit $3
