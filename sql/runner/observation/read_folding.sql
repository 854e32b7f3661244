-- Reads the event backlog: at most 10,001 undispatched events of each kind. The statement does not use the
-- unfolded_event view, because the dashboard role cannot read the view's keys and payloads. Rows: number of counted
-- events, estimated number of all events, age of the oldest event in ms (null if none), whether the event log belongs
-- to this cluster. After a restore into another cluster, the next dispatch reads the event log from the beginning.
-- Locks: none. Indexes: event_N_xact, event_N_pkey.
with log as not materialized (
  select id, xact, recorded_at from event_0
  union all
  select id, xact, recorded_at from event_1
  union all
  select id, xact, recorded_at from event_2
),
position as materialized (
  select *, pg_current_snapshot() as current_snapshot from event_position order by id desc limit 1
),
rest as materialized (
  select p.xact, p.last_id, p.end_id from position, unnest(partial) p
),
fresh as materialized (
  (select id, recorded_at from log
  where xact >= (select pg_snapshot_xmax(snapshot) from position) order by xact limit 10001)
  union all
  (select id, recorded_at from log
  where xact = any (array(
    select p.xact from (select pg_snapshot_xip(snapshot) as xact, current_snapshot from position) p
    where pg_visible_in_snapshot(p.xact, p.current_snapshot))) limit 10001)
  union all
  (select id, recorded_at from log
  where id > (select last_id from position) and id <= (select end_id from position)
    and pg_visible_in_snapshot(xact, (select snapshot from position))
    and not pg_visible_in_snapshot(xact, (select base from position))
    and not exists (select from rest r where r.xact = log.xact)
  order by id limit 10001)
  union all
  (select id, recorded_at from log
  where id > (select min(last_id) from rest) and id <= (select max(end_id) from rest)
    and exists (select from rest r where r.xact = log.xact and log.id > r.last_id)
  order by id limit 10001)
  union all
  select id, recorded_at from log where id = any ((select deferred from position)::bigint[])
)
select (select count(*) from fresh),
  (select coalesce(1 + (select max(id) from log) - min(id), 0) from fresh),
  (select (extract(epoch from now() - min(recorded_at)) * 1000)::bigint from fresh),
  exists (select from own_position)
