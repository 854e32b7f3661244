-- Reads the event backlog: the first 10,001 events of each segment that are not dispatched yet. The view unfolded_event
-- is not used, because it contains keys and payloads, which the dashboard role may not read. Rows: one row with the
-- number of counted events, an estimate of all events by their ids, the age of the oldest event in ms (null if there
-- are no events), and whether the log belongs to this cluster. After a restore into another cluster, the next dispatch
-- reads the log from the beginning. Locks: none. Indexes: event_N_xact, event_N_pkey.
with position as materialized (
  select snapshot, pg_snapshot_xmax(snapshot) as after, array(select pg_snapshot_xip(snapshot)) as open
  from event_position
  order by id desc
  limit 1
),
fresh as materialized (
  (select 0 as segment, id, recorded_at from event_0
  where xact >= (select after from position) order by xact limit 10001)
  union all
  (select 1, id, recorded_at from event_1
  where xact >= (select after from position) order by xact limit 10001)
  union all
  (select 2, id, recorded_at from event_2
  where xact >= (select after from position) order by xact limit 10001)
  union all
  (select 0, id, recorded_at from event_0
  where xact = any ((select open from position)::xid8[]) limit 10001)
  union all
  (select 1, id, recorded_at from event_1
  where xact = any ((select open from position)::xid8[]) limit 10001)
  union all
  (select 2, id, recorded_at from event_2
  where xact = any ((select open from position)::xid8[]) limit 10001)
)
select (select count(*) from fresh),
  (select coalesce(sum(1 + case segment
      when 0 then (select max(id) from event_0)
      when 1 then (select max(id) from event_1)
      else (select max(id) from event_2) end - first), 0)::bigint
    from (select segment, min(id) as first from fresh group by segment) began),
  (select (extract(epoch from now() - min(recorded_at)) * 1000)::bigint from fresh),
  exists (select from own_position)
