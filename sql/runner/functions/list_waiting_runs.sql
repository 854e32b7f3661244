-- Returns at most 51 runs that are due now or later, earliest first, for roles that may not read keys and errors. Keys
-- and errors are redacted. If `of_job` is null, the runs of all jobs are returned. `after_us` (a due time in
-- microseconds since 1970; 9223372036854775807 means infinity) and `after_id` are those of the last run of the previous
-- page. Runs with the same due time are ordered by id, because the order of keys could reveal personal data. The
-- function reads at most 10,000 held runs of each job. For each job, the function also reads at most 10,000 runs in
-- each of three ranges of batch_limit: below -1, equal to -1, and above 0.
-- needs: instant_of, redacted, whole_words
create or replace function list_waiting_runs(of_job text, is_due boolean, after_us bigint, after_id bigint)
returns table (id bigint, job text, key text, attempt integer, at timestamptz, first_event_at timestamptz,
  error text, due_us bigint)
language sql stable security definer set search_path from current as $$
with bound as materialized (
  select case when after_us = 9223372036854775807 then 'infinity'
      when after_us is not null then instant_of(after_us)
      when is_due then '-infinity'
      else pg_catalog.now() + interval '1 microsecond' end as low,
    case when is_due then pg_catalog.now() else 'infinity' end as high,
    coalesce(after_id, 0) as id
),
waiting as (
  select w.*
  from bound b, (select name, priorities from job where of_job is null or name = of_job) j,
  lateral (
    select of_priority.*
    from unnest(j.priorities) p (priority), lateral (
      select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error
      from run r
      where r.job = j.name and r.worker is null and not r.is_held and r.batch_limit = 0
        and r.priority = p.priority and (r.due, r.id) > (b.low, b.id) and r.due <= b.high
      order by r.due, r.id
      limit 51) of_priority
    union all
    select aside.*
    from (
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error
      from run r
      where r.job = j.name and r.worker is null and not r.is_held and r.batch_limit = -1
      limit 10000)
      union all
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error
      from run r
      where r.job = j.name and r.worker is null and not r.is_held and r.batch_limit > 0
      limit 10000)
      union all
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error
      from run r
      where r.job = j.name and r.worker is null and not r.is_held and r.batch_limit < -1
      limit 10000)
      union all
      (select r.id, r.job, r.key, r.attempt, r.due, r.run_at, r.first_event_at, r.asked_at, r.last_error
      from run r
      where r.job = j.name and r.is_held
      limit 10000)) aside
    where (aside.due, aside.id) > (b.low, b.id) and aside.due <= b.high) w
  order by w.due, w.id
  limit 51
)
select id, job, redacted(key), attempt, case when isfinite(due) then due else run_at end,
  least(first_event_at, asked_at), left(redacted(whole_words(last_error, 2000)), 500),
  case when isfinite(due) then (extract(epoch from due) * 1000000)::bigint else 9223372036854775807 end
from waiting
order by due, id
$$
