-- Ends what a connection that broke has left in the server: a statement that runs there would go on, and hold its
-- locks, until the server writes to it. $1 its process, $2 since when: a process id alone may be another's by now.
-- Rows: one where it was still there: whether it is told to end. Locks: none.
select pg_terminate_backend(pid)
from pg_stat_get_activity($1::integer)
where backend_start = $2
