-- Terminates the server process of a lost connection. A server process that is not terminated would keep its locks
-- until its next write to the client. $1: the process id. $2: the process's start time, because a later process may get
-- the same id. Rows: one row with a boolean that is true if the process was signalled. If the process no longer exists,
-- no rows are returned. Locks: none.
select pg_terminate_backend(pid)
from pg_stat_get_activity($1::integer)
where backend_start = $2
