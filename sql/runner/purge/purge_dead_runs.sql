-- Removes old dead runs that were not retried. $1 how many. Rows: the number. Locks: those rows, SKIP LOCKED. Reads the
-- table in order of id, which is roughly the order of age.
with old as materialized (
  select d.id
  from dead_run d
  where d.died_at < cutoff_of((select dead_run_age from runner_setting))
  order by d.id
  limit $1
  for update skip locked
),
payloads as (
  delete from run_payload where taken_by in (select id from old)
)
delete from dead_run where id in (select id from old)
