-- Terminates the server process of a lost connection. Without end_backend, the server process would keep its locks
-- until it writes to the client. $1: the process id. $2: the start of the process, because another process may have the
-- same id by now. Rows: one row with true if the process was signalled, or none if the process no longer exists. Locks:
-- none.
select pg_terminate_backend(pid)
from pg_stat_get_activity($1::integer)
where backend_start = $2
