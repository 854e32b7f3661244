-- The position of a log that was folded where it stands; no row where the log came from elsewhere, and its
-- transaction ids say nothing. Another cluster has another identity. A log that was elsewhere and came back
-- has this one's again, but a dump does not hold xmin: a restored row has that of its restore, and a cluster
-- gives no transaction the id of another. Nobody updates the row, and a rewrite of its table is taken for a
-- restore, which folds a few events twice.
create or replace view own_position with (security_invoker = true) as
select p.id, p.snapshot
from (
  select id, snapshot, epoch, set_by, xmin as written_by from event_position order by id desc limit 1
) p
join pg_control_system() c on c.system_identifier = p.epoch
where p.written_by = p.set_by::xid
