-- Marks the calls of all batch members as dispatched. The caller must already have dispatched all events of another
-- cluster's event log. Transaction ids from another cluster have no meaning in this one. Rows: the number of changed
-- members. Locks: the members. The statement reads the whole `batch_member` table.
update batch_member set xact = '3' where xact <> '3'
