-- Deletes failed attempts that are older than the retention period of the history and belong to ended runs, as in the
-- view expired_attempt. $1: the number of attempts to read. Further attempts with the time of the last attempt are read
-- too. $2: the time after which the search starts, in microseconds since 1970, or null to start with the oldest
-- attempt. Rows: one row with the number of deleted attempts, and the time of the last attempt that was read (null if
-- none was read). Locks: the deleted rows, SKIP LOCKED. Indexes: failed_attempt_ended, failed_attempt_pkey, run_pkey,
-- dead_run_pkey, dead_run_key.
with piece as materialized (
  select id, run_id, job, key, ended_at
  from failed_attempt
  where ended_at < cutoff_of((select run_history_age from runner_setting))
    and ended_at > coalesce(instant_of($2), '-infinity')
  order by ended_at
  fetch first $1 rows with ties
),
-- Most attempts of dead runs are found by the run's id.
other as materialized (
  select p.id, p.run_id, p.job, p.key
  from piece p
  where (select true from dead_run d where d.id = p.run_id) is null
),
kept as (
  select unnest(o.ids) as run_id
  from (select distinct job, key from other) k, lateral (
    select r.id || r.earlier_ids as ids from run r where r.job = k.job and r.key = k.key
    union all
    select d.earlier_ids from dead_run d where d.job = k.job and d.key = k.key and d.earlier_ids is not null) o
),
-- An aggregate compares the ids. For an anti join, the planner might compare each attempt with each kept id.
ended as (
  select array_agg(a.id) as ids
  from (select run_id, id from other union all select run_id, null from kept) a
  group by a.run_id
  having count(*) = count(a.id)
),
old as materialized (
  select id from failed_attempt where id = any (array(select unnest(ids) from ended)) for update skip locked
),
gone as (
  delete from failed_attempt where id = any (array(select id from old))
)
select (select count(*) from old), (select (extract(epoch from max(ended_at)) * 1000000)::bigint from piece)
