-- Completes many runs of effect jobs without history in one transaction. A run must match both its ctid and its token,
-- because the ctid of a lost run may now belong to another run. $1: the ctids of the runs. $2: the token of each run.
-- Rows: the ctid and the token of each completed run. The caller separately completes each run that is not in the
-- result. Locks: the runs. Index: none. The expression `is true` prevents the planner from using an index on the
-- `state` column.
delete from run r
using unnest($1, $2) c (place, token)
where r.ctid = c.place and r.token = c.token and (r.state = 'running') is true
returning r.ctid, r.token
