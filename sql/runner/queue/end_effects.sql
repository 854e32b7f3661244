-- Ends runs of effect jobs without history, many in one transaction. A run is ended only if its place and token
-- match, because another run of the same claim may be at the place of a lost run. $1 contains the places, $2 their
-- tokens. Rows: place and token of each run that was ended; the caller completes every other run separately. Locks:
-- the runs. Index: none; with a plain condition on the state, a plan made on an empty table would read an index of
-- all runs.
delete from run r
using unnest($1, $2) c (place, token)
where r.ctid = c.place and r.token = c.token and (r.state = 'running') is true
returning r.ctid, r.token
