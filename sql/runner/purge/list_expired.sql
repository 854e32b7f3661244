-- Lists the rows that purge-runs would delete now, for a dry run. Rows: one row for each table or partition, with the
-- name, the number of rows, and the oldest and the newest end time of a run. Locks: none. The statement reads all rows
-- that would be deleted.
with kept as materialized (
  select cutoff_of(run_history_age) as history, cutoff_of(dead_run_age) as dead_runs from runner_setting
),
partition as materialized (
  select n, (select max(created_at) from run_history
      where partition = n and created_at < pg_catalog.now() + interval '2688 hours') < k.history as is_old
  from kept k, generate_series(0, 15) n
),
old_batch as materialized (
  select b.id, coalesce(b.ended_at, b.changed_at) as at
  from batch b, kept k
  where b.ended_at < k.dead_runs or b.ended_at is null and
    -- include: abandoned_batch
),
expired as (
  select 'run_history_' || partition as relation, created_at as at from run_history
  where partition in (select n from partition where is_old)
  union all
  select 'dead_run', d.died_at from dead_run d, kept k
  where d.died_at < k.dead_runs
  union all
  select 'run_progress', p.written_at from run_progress p, kept k
  where p.written_at < k.dead_runs
  union all
  select 'run_checkpoint', saved_at from ended_checkpoint
  union all
  select 'run_step', s.saved_at from run_step s join ended_checkpoint using (run_id)
  union all
  select 'event_wait', c.saved_at from event_wait w join ended_checkpoint c using (run_id)
  union all
  select 'sent_event', e.dispatched_at from sent_event e, kept k
  where e.dispatched_at < k.dead_runs
  union all
  select 'batch', b.at from old_batch b
  union all
  select 'batch_member', b.at from old_batch b join batch_member m on m.batch = b.id
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
