-- The events that committed since the log was last folded. The range begins where the last snapshot ended and adds the
-- transactions that were open then by their ids, so that a transaction left open for hours does not make every poll
-- read all events since then. It uses the index on the transaction's id. A log of another cluster is not recognised
-- here: a query must also read own_position.
-- needs: event
create or replace view unfolded_event with (security_invoker = true) as
with position as materialized (
  select snapshot from event_position order by id desc limit 1
)
select * from event where xact >= (select pg_snapshot_xmax(snapshot) from position)
union all
select * from event where xact = any (array(select pg_snapshot_xip(snapshot) from position))
