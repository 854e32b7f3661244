-- Deletes dead runs that are older than the retention period. $1: the maximum number of runs. $2: the id at which the
-- search begins, or null to begin with the first run. Rows: one row with the number of deleted runs, and the id of the
-- last deleted run (null if no run was deleted). Locks: the deleted rows, SKIP LOCKED. Index: dead_run_pkey. The
-- statement reads the table in order of id, which roughly corresponds to the age of the runs.
with old as materialized (
  select d.id
  from dead_run d
  where d.died_at < cutoff_of((select dead_run_age from runner_setting)) and d.id >= coalesce($2::bigint, 0)
  order by d.id
  limit $1
  for update skip locked
),
payloads as (
  delete from run_payload where taken_by in (select id from old)
),
gone as (
  delete from dead_run where id in (select id from old)
)
select count(*), max(id) from old
