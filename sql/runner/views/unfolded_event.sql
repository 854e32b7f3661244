-- Contains the committed events that have not been dispatched yet. Undispatched events are events after the last
-- snapshot, and events of transactions that were open in the last snapshot. The view also contains the undispatched
-- events of a backlog, the undispatched events of large transactions, and deferred events (advance_backlog). Even if a
-- transaction stays open for hours, a poll does not read all later events. The view uses the index on the transaction
-- id. To detect an event log that was restored from another cluster, a query must read the own_position view.
-- needs: event
create or replace view unfolded_event with (security_invoker = true) as
with position as materialized (
  select *, pg_current_snapshot() as current_snapshot from event_position order by id desc limit 1
),
rest as materialized (
  select p.xact, p.last_id, p.end_id from position, unnest(partial) p
)
select * from event where xact >= (select pg_snapshot_xmax(snapshot) from position)
union all
-- A search for a transaction that is still open would read all its events, but would return none of them.
select * from event where xact = any (array(
  select p.xact from (select pg_snapshot_xip(snapshot) as xact, current_snapshot from position) p
  where pg_visible_in_snapshot(p.xact, p.current_snapshot)))
union all
select * from event
where id > (select last_id from position) and id <= (select end_id from position)
  and pg_visible_in_snapshot(xact, (select snapshot from position))
  and not pg_visible_in_snapshot(xact, (select base from position))
  and not exists (select from rest r where r.xact = event.xact)
union all
select * from event
where id > (select min(last_id) from rest) and id <= (select max(end_id) from rest)
  and exists (select from rest r where r.xact = event.xact and event.id > r.last_id)
union all
select * from event where id = any ((select deferred from position)::bigint[])
