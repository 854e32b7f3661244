-- Contains the events that were committed since the last dispatch. The view selects the events after the last snapshot,
-- and the events of transactions that were open in that snapshot. A transaction that stays open for hours therefore
-- does not make each poll read all later events. The view uses the index on the transaction id. A query that must
-- detect an event log of another cluster must also read own_position.
-- needs: event
create or replace view unfolded_event with (security_invoker = true) as
with position as materialized (
  select snapshot from event_position order by id desc limit 1
)
select * from event where xact >= (select pg_snapshot_xmax(snapshot) from position)
union all
select * from event where xact = any (array(select pg_snapshot_xip(snapshot) from position))
