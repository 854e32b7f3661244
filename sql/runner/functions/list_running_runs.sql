-- Returns at most 51 running runs, by id, for roles that may not read keys and errors. Keys and errors are redacted.
-- The next page starts after the id `after_id`. If `of_job` is null, the runs of all jobs are returned. The function
-- reads and sorts all running runs, but does not read waiting runs (index run_running).
-- needs: redacted, whole_words
create or replace function list_running_runs(of_job text, after_id bigint)
returns table (id bigint, job text, key text, attempt integer, at timestamptz, first_event_at timestamptz,
  error text, worker text)
language sql stable security definer set search_path from current as $$
select r.id, r.job, redacted(r.key), r.attempt, case when isfinite(r.due) then r.due else r.run_at end,
  least(r.first_event_at, r.asked_at),
  left(redacted(whole_words(r.last_error, 2000)), 500), w.name
from (
  select * from run
  where worker is not null and id > coalesce(after_id, 0) and (of_job is null or job = of_job)
  order by id
  limit 51) r
left join worker w on w.id = r.worker
order by r.id
$$
