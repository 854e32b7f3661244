-- What there is to do, in one cheap read: what the dispatcher asks on every tick.
-- Rows: one: unfolded events or another cluster?, a dead or missing worker?, jobs with due runs, ms to the
-- next due run (null: none). Locks: none. Indexes: event_N_xact, run_ready.
with position as materialized (
  select snapshot, epoch from event_position order by id desc limit 1
)
select
  exists (
      select from event where xact >= (select pg_snapshot_xmax(snapshot) from position))
    or exists (
      select from event where xact = any (array(select pg_snapshot_xip(snapshot) from position)))
    or (select epoch from position) is distinct from
      (select system_identifier from pg_control_system()),
  exists (select from dead_worker) or exists (select from missing_worker),
  array_to_string(array(
    select name from job
    where paused_at is null
      and (exists (select from run where job = name and state = 'ready' and batch_limit = 0
          and due <= now())
        or exists (select from run where job = name and state = 'ready' and batch_limit > 0
          and due <= now()))), e'\n'),
  (select ceil(extract(epoch from min(next.due) - now()) * 1000)::integer
   from job, lateral (
     (select due from run where job = name and state = 'ready' and batch_limit = 0
        and due > now() order by due limit 1)
     union all
     (select min(due) from run where job = name and state = 'ready' and batch_limit > 0
        and due > now())) next
   where paused_at is null)
