-- Records that a process has the code of some jobs. $1 contains their names. Rows: the number of updated jobs. Locks:
-- the rows of these jobs. A job is updated at most once an hour, because the poll reads all versions of the small table.
update job set registered_at = now()
where name = any ($1) and registered_at < now() - interval '1 hour'
