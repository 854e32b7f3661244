-- Returns waiting and running runs whose redacted keys begin with a given text, for roles that may not read keys. If
-- `of_job` is null, the function searches all jobs. At most 51 runs are returned, ordered by job, redacted key and id.
-- The raw key does not affect the selection or the order, because a caller could otherwise guess redacted characters
-- one by one. The index on raw keys only narrows the search: up to the first `[`, raw and redacted keys are equal. For
-- each job, only the first 10,000 matching runs are sorted, so that the search stays fast for a job with many runs.
-- needs: redacted
create or replace function find_keyed_runs(of_job text, of_state text, beginning text)
returns table (id bigint, job text, key text, state text, attempt integer, at timestamptz,
  first_event_at timestamptz, error text, worker text)
language sql stable security definer set search_path from current as $$
select f.id, f.job, f.hidden_key, f.state, f.attempt, f.at, f.made_at, left(redacted(left(f.last_error, 2000)), 500),
  (select w.name from worker w where w.id = f.worker)
from (select name from job where of_job is null or name = of_job) j, lateral (
  select m.*
  from (
    select r.id, r.job, redacted(r.key) as hidden_key, s.state, r.attempt,
      case when isfinite(r.due) then r.due else r.run_at end as at, least(r.first_event_at, r.asked_at) as made_at,
      r.last_error, r.worker
    from run r, lateral (
      select case when r.worker is not null then 'running' when r.due <= pg_catalog.now() then 'ready'
        else 'delayed' end as state) s
    where r.job = j.name and r.key >= split_part(beginning, '[', 1)
      and r.key < split_part(beginning, '[', 1) || chr(1114111)
      and starts_with(redacted(r.key), beginning) and (of_state is null or s.state = of_state)
    order by r.key, r.state
    limit 10000) m
  order by m.hidden_key, m.id
  limit 51) f
order by j.name, f.hidden_key, f.id
limit 51
$$
