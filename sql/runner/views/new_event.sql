-- Contains the new events between the last two positions. The advance_position or advance_backlog statement must have
-- appended the last position in the same transaction. If the last position begins or continues a backlog, the view is
-- empty. The view searches for transaction ids that have become visible since the previous position. The view also
-- contains new events that advance_backlog has deferred, and the folding_event view omits these events.
-- needs: event
create or replace view new_event with (security_invoker = true) as
with new as materialized (
  select * from event_position order by id desc limit 1
),
-- Without the condition on `set_by`, a dispatch without events would read all deleted positions that VACUUM has not
-- removed yet.
old as materialized (
  select * from event_position
  where (select set_by from new) = pg_current_xact_id_if_assigned()
  order by id desc limit 1 offset 1
)
select * from event
where xact >= (select pg_snapshot_xmax(snapshot) from old)
  and xact < (select pg_snapshot_xmax(snapshot) from new where base is null)
  and xact <> all (array(select pg_snapshot_xip(snapshot) from new))
union all
select * from event
where xact = any (array(
    select pg_snapshot_xip(old.snapshot) from old, new where new.base is null
    except select pg_snapshot_xip(snapshot) from new))
