-- What purge-runs would remove now, table by table: what a dry run shows.
-- Rows: table (a partition by its own name), rows, the oldest and the newest, by ending or death.
-- Locks: none. Reads what would go, partitions whole.
with moment as materialized (
  select pg_catalog.now() as at, s.* from runner_setting s
),
partition as materialized (
  select n, (select max(created_at) from run_history where partition = n) < m.at - m.run_history_age
    as is_old
  from moment m, generate_series(0, 15) n
),
expired as (
  select 'run_history_' || partition as relation, created_at as at from run_history
  where partition in (select n from partition where is_old)
  union all
  select 'dead_run', d.died_at from dead_run d, moment m
  where d.died_at < m.at - m.dead_run_age
  union all
  select 'failed_attempt', ended_at from expired_attempt
  union all
  select 'audit', a.at from audit a where a.day < (pg_catalog.now() at time zone 'UTC')::date - 400
)
select relation, count(*), iso_text(min(at)),
  iso_text(max(at))
from expired
group by relation
order by relation
