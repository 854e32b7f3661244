-- Completes many runs of effect jobs without history in one transaction. A run must match both its ctid and its token,
-- because a lost run's ctid may now belong to another run. $1: the ctids of the runs. $2: the token of each run. Rows:
-- the ctid and the token of each completed run. The caller completes the remaining runs separately. Locks: the runs.
-- Index: none. With a plain condition on the state, a plan for an empty table would read an index of all runs.
delete from run r
using unnest($1, $2) c (place, token)
where r.ctid = c.place and r.token = c.token and (r.state = 'running') is true
returning r.ctid, r.token
