-- The position of a log that was folded in this cluster. No row if the log came from elsewhere, because its transaction
-- ids mean nothing here: another cluster has another identity. A log that was elsewhere and came back has this
-- cluster's identity again. But a dump does not contain xmin: a restored row has the transaction id of its restore, and
-- a cluster gives no transaction the id of another. The row is never updated. A rewrite of its table looks like a
-- restore, and then a few events are folded twice.
create or replace view own_position with (security_invoker = true) as
select p.id, p.snapshot
from (
  select id, snapshot, epoch, set_by, xmin as written_by from event_position order by id desc limit 1
) p
join pg_control_system() c on c.system_identifier = p.epoch
where p.written_by = p.set_by::xid
