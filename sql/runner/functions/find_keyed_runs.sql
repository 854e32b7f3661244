-- Returns waiting and running runs whose keys begin with a text, for roles that may not read keys. Keys are redacted.
-- Redacted characters cannot be searched, because a caller could guess them one by one. If `of_job` is null, the
-- function searches all jobs. At most 51 runs are returned, ordered by job and key.
-- needs: redacted
create or replace function find_keyed_runs(of_job text, of_state text, beginning text)
returns table (id bigint, job text, key text, state text, attempt integer, at timestamptz,
  first_event_at timestamptz, error text, worker text)
language sql stable security definer set search_path from current as $$
select f.*
from (select name from job where of_job is null or name = of_job) j, lateral (
  select r.id, r.job, redacted(r.key), case when r.state = 'running' then 'running'
      when r.due <= pg_catalog.now() then 'ready' else 'delayed' end, r.attempt,
    case when isfinite(r.due) then r.due else r.run_at end, least(r.first_event_at, r.asked_at),
    redacted(left(r.last_error, 500)), w.name
  from run r
  left join worker w on w.id = r.worker
  where r.job = j.name and r.key >= beginning and r.key < beginning || chr(1114111)
    and starts_with(redacted(r.key), beginning) and (of_state is null or case when r.state = 'running' then 'running'
      when r.due <= pg_catalog.now() then 'ready' else 'delayed' end = of_state)
  order by r.key, r.state
  limit 51) f
order by j.name
limit 51
$$
