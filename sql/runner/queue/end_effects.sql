-- Completes many runs of effect jobs without history in one transaction. A run must match its ctid, its id and its
-- token. VACUUM FULL can move a run to the ctid of another run of the same claim, which has the same token. $1: the
-- ctids of the runs. $2: the id of each run. $3: the token of each run. Rows: the id and the token of each completed
-- run. The caller separately completes each run that is not in the result. Locks: the runs. Index: none. The
-- expression `is true` prevents the planner from using an index on the `state` column.
delete from run r
using unnest($1, $2, $3) c (place, id, token)
where r.ctid = c.place and r.id = c.id and r.token = c.token and (r.state = 'running') is true
returning r.id, r.token
