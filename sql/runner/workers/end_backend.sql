-- Ends the server process that a broken connection has left: otherwise its statement would continue, and hold its
-- locks, until the server writes to the client. $1 its process id, $2 its start: the id alone could belong to another
-- process by now. Rows: one if the process still existed: whether it was signalled to end. Locks: none.
select pg_terminate_backend(pid)
from pg_stat_get_activity($1::integer)
where backend_start = $2
