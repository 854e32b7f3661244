-- Marks all members as dispatched, after an event log of another cluster was dispatched completely. Transaction ids of
-- the other cluster have no meaning in this cluster. Rows: the number of changed members. Locks: the members. The
-- statement reads the whole table.
update batch_member set xact = '3' where xact <> '3'
