-- Returns at most 51 runs that are due now or later, earliest first, for roles that may not read keys and errors. Keys
-- and errors are redacted. If `of_job` is null, the runs of all jobs are returned. The list continues after `after_us`,
-- a due time in microseconds since 1970 (9223372036854775807 means infinity), and `after_place`, a ctid. Runs with the
-- same due time are ordered by ctid, like in the index run_ready. A ctid reveals no personal data, unlike a key. Of
-- each job's runs that are in group queues or are claimed in small batches, the first 10,000 are read.
-- needs: redacted
create or replace function list_waiting_runs(of_job text, is_due boolean, after_us bigint, after_place tid)
returns table (id bigint, job text, key text, attempt integer, at timestamptz, first_event_at timestamptz,
  error text, due_us bigint, place tid)
language sql stable security definer set search_path from current as $$
with bound as materialized (
  select case when after_us = 9223372036854775807 then 'infinity'
      when after_us is not null then timestamptz 'epoch' + after_us * interval '1 microsecond'
      when is_due then '-infinity'
      else pg_catalog.now() + interval '1 microsecond' end as low,
    case when is_due then pg_catalog.now() else 'infinity' end as high,
    coalesce(after_place, '(0,0)') as place
),
waiting as (
  select w.*
  from bound b, (select name, priorities from job where of_job is null or name = of_job) j,
  lateral (
    select of_priority.*
    from unnest(j.priorities) p (priority), lateral (
      select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error,
        r.ctid as place
      from run r
      where r.job = j.name and r.state = 'ready' and not r.is_held and r.batch_limit = 0
        and r.priority = p.priority and r.due >= b.low and r.due <= b.high
        and (r.due > b.low or r.ctid > b.place)
      order by r.due
      limit 51) of_priority
    union all
    select aside.*
    from (
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error,
        r.ctid as place
      from run r
      where r.job = j.name and r.state = 'ready' and not r.is_held and r.batch_limit = -1
      limit 10000)
      union all
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error,
        r.ctid
      from run r
      where r.job = j.name and r.state = 'ready' and not r.is_held and r.batch_limit > 0
      limit 10000)
      union all
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error,
        r.ctid
      from run r
      where r.job = j.name and r.is_held
      limit 10000)) aside
    where aside.due >= b.low and aside.due <= b.high and (aside.due > b.low or aside.place > b.place)) w
  order by w.due, w.place
  limit 51
)
select id, job, redacted(key), attempt, case when isfinite(due) then due else run_at end,
  least(first_event_at, asked_at), redacted(left(last_error, 500)),
  case when isfinite(due) then (extract(epoch from due) * 1000000)::bigint else 9223372036854775807 end, place
from waiting
order by due, place
$$
