-- Marks the calls of all batch members as dispatched. The caller must already have dispatched all events of another
-- cluster's event log. Transaction ids of another cluster have no meaning in this cluster. Rows: the number of changed
-- members. Locks: the members. The statement reads the whole table `batch_member`.
update batch_member set xact = '3' where xact <> '3'
