-- Contains the events between the last two positions: new events, the piece of a backlog, the pieces of large
-- transactions, and events that are no longer deferred. The advance_backlog statement must have appended the last
-- position in the same transaction. The view finds new events by transaction id, and all other events by event number.
-- needs: event, new_event
create or replace view folding_event with (security_invoker = true) as
with new as materialized (
  select * from event_position order by id desc limit 1
),
-- Without the condition on `set_by`, a dispatch without events would read all deleted positions that VACUUM has not
-- removed yet.
old as materialized (
  select * from event_position
  where (select set_by from new) = pg_current_xact_id_if_assigned()
  order by id desc limit 1 offset 1
),
piece as materialized (
  select o.xact, o.last_id as after, coalesce(n.last_id, o.end_id) as up_to
  from old, unnest(old.partial) o
  left join (select p.xact, p.last_id from new, unnest(new.partial) p) n on n.xact = o.xact
),
-- The events that are still deferred. NOT IN searches a hash table, while `<> all` would compare each event with each
-- element of the array.
waiting as materialized (
  select unnest(deferred) as id from new
),
large as materialized (
  select xact from piece
  union
  select p.xact from new, unnest(new.partial) p
)
select * from new_event
where id not in (select id from waiting)
union all
select * from event
where id > (select last_id from old)
  and id <= (select coalesce(new.last_id, old.end_id) from old, new where old.base is not null)
  and pg_visible_in_snapshot(xact, (select snapshot from old))
  and not pg_visible_in_snapshot(xact, (select base from old))
  and not exists (select from large l where l.xact = event.xact)
  and id not in (select id from waiting)
union all
select * from event
where id > (select min(after) from piece where up_to > after)
  and id <= (select max(up_to) from piece where up_to > after)
  and exists (select from piece p where p.xact = event.xact and event.id > p.after and event.id <= p.up_to)
union all
select * from event
where id = any (array(
  select d.id from (select unnest(deferred) as id from old) d where d.id not in (select id from waiting)))
