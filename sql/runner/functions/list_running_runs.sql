-- Returns at most 51 running runs in their physical order, for roles that may not read keys and errors. Keys and errors
-- are redacted. Running runs have no index, because each claim would have to update it. The function therefore reads
-- 4,000 pages of the table after `after_place`. If `of_job` is null, the runs of all jobs are returned.
-- needs: redacted
create or replace function list_running_runs(of_job text, after_place tid)
returns table (id bigint, job text, key text, attempt integer, at timestamptz, first_event_at timestamptz,
  error text, worker text, place tid)
language sql stable security definer set search_path from current as $$
select r.id, r.job, redacted(r.key), r.attempt, r.due, least(r.first_event_at, r.asked_at),
  redacted(left(r.last_error, 500)), w.name, r.ctid
from run r
left join worker w on w.id = r.worker
where r.ctid > after_place
  and r.ctid < ('(' || least((after_place::text::point)[0]::bigint + 4000, 4294967295) || ',0)')::tid
  and r.state = 'running' and (of_job is null or r.job = of_job)
order by r.ctid
limit 51
$$
