-- Lists running runs that an operator wants to cancel. The statement excludes runs whose cancellation has already been
-- requested. $1: the job's name. $2: the key prefix. A null parameter applies no filter. Rows: id, job, key, state,
-- attempt, due time, error. Locks: none. Index: run_running.
select id, job, key, state, attempt, iso_text(case when isfinite(due) then due else run_at end, '.MS'), last_error
from run r
where worker is not null and state = 'running' and ($1::text is null or job = $1)
  and ($2::text is null or starts_with(key, $2))
  and not exists (select from cancellation c where c.run_id = r.id)
order by id
