-- Returns at most 51 ended runs, newest first, for roles that may not read keys and errors. Keys and errors are
-- redacted. If `of_job` is null, the newest runs of each partition are read. `after_us` (the end time in microseconds
-- since 1970) and `after_id` are those of the last run of the previous page. `beginning` is a prefix of the redacted
-- key. A search by prefix reads only the 10,000 most recent runs of each job, because no index contains keys.
-- needs: instant_of, redacted, whole_words
create or replace function list_ended_runs(of_job text, beginning text, after_us bigint,
  after_id bigint)
returns table (id bigint, job text, key text, attempt integer, at timestamptz, first_event_at timestamptz,
  outcome text, duration_ms bigint, worker text, error text, ended_us bigint)
language sql stable security definer set search_path from current as $$
with bound as materialized (
  select coalesce(instant_of(after_us), 'infinity') as high, coalesce(after_id, 9223372036854775807) as id
),
newest as (
  (select h.*
  from bound b, lateral (
    select * from run_history r
    where r.job = of_job and r.created_at <= b.high and (r.created_at < b.high or r.id < b.id)
    order by r.created_at desc, r.id desc
    limit 51) h
  where of_job is not null and beginning is null)
  union all
  (select h.*
  from bound b, generate_series(0, 15) p (partition), lateral (
    select * from run_history r
    where r.partition = p.partition::smallint and (r.created_at, r.id) < (b.high, b.id)
    order by r.created_at desc, r.id desc
    limit 51) h
  where of_job is null and beginning is null)
  union all
  (select h.*
  from bound b, (select name from job where of_job is null or name = of_job) j, lateral (
    select * from run_history r
    where r.job = j.name and r.created_at <= b.high and (r.created_at < b.high or r.id < b.id)
    order by r.created_at desc, r.id desc
    limit 10000) h
  where beginning is not null and starts_with(redacted(h.key), beginning))
)
select id, job, redacted(key), attempt, created_at, made_at, outcome, duration_ms, worker,
  left(redacted(whole_words(error, 2000)), 500), (extract(epoch from created_at) * 1000000)::bigint
from newest
order by created_at desc, id desc
limit 51
$$
