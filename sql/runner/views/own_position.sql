-- Contains the position of an event log that belongs to this cluster. The view is empty if the log was restored from
-- another cluster, because transaction ids of that cluster have no meaning here. Comparing the cluster's identifier is
-- not enough, because a log may return to its first cluster. A restored row has the transaction id of the restore in
-- xmin, which differs from the stored id. Positions are never updated. If the table is rewritten, the log also counts
-- as restored, and some events are dispatched twice.
create or replace view own_position with (security_invoker = true) as
select p.id, p.snapshot
from (
  select id, snapshot, epoch, set_by, xmin as written_by from event_position order by id desc limit 1
) p
join pg_control_system() c on c.system_identifier = p.epoch
where p.written_by = p.set_by::xid
