-- Lists the registered workers, oldest first. Rows: id, name, server process, ms since the start, ms since the last
-- heartbeat, and whether the worker is dead. The next column is the program's release (null if unknown). If a failure
-- prevents all work of a connected worker, the last columns are the failure's reason and its age in ms. Otherwise, both
-- columns are null. A worker stores a failure that prevents all its work in common_failures, with an empty job name. If
-- a connected worker sends no heartbeats, the reason is 'no heartbeat'. A worker whose server process does not exist
-- counts as dead immediately, even if no other worker records the death. Other workers release the runs of a dead
-- worker. Locks: none. Index: worker_pkey.
with seen as materialized (
  select *, held_at_death is not null or id in (select d.id from dead_worker d) as is_dead,
    id in (select m.id from missing_worker m) as is_missing
  from worker
)
select id, name, pid, (extract(epoch from now() - started_at) * 1000)::bigint,
  (extract(epoch from now() - heartbeat_at) * 1000)::bigint, is_dead or is_missing, release,
  case
    when is_missing or awaits_lease then null
    when not is_dead then f.reason
    when is_direct and heartbeat_at < now() - interval '18 seconds' then 'no heartbeat'
  end,
  (extract(epoch from now() - case when is_dead then heartbeat_at else f.since end) * 1000)::bigint
from seen
left join lateral (select c.reason, c.since from unnest(common_failures) c where c.job = '' limit 1) f on true
order by started_at, id
