-- Contains the position of an event log that belongs to this cluster. If the log was restored from another cluster, the
-- view is empty, because its transaction ids have no meaning in this cluster. If a log was restored into the cluster in
-- which it was written, the cluster's identifier is the same. Therefore, the view also compares transaction ids. After
-- a restore, the xmin column contains the transaction id of the restore, which differs from the stored id. The rows
-- that store positions are never updated. If the table is rewritten, the log also counts as restored, and some events
-- are dispatched twice.
create or replace view own_position with (security_invoker = true) as
select p.id, p.snapshot
from (
  select id, snapshot, epoch, set_by, xmin as written_by from event_position order by id desc limit 1
) p
join pg_control_system() c on c.system_identifier = p.epoch
where p.written_by = p.set_by::xid
