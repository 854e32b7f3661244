-- Ends runs of effect jobs without history, many in one transaction. It finds the runs by place, and only if place and
-- token belong together: another run of the same claim may be at a place that a lost run had. $1 places, $2 their
-- tokens. Rows: place and token of each run that was ended; the caller completes every other run separately. Locks: the
-- runs. Index: none.
delete from run r
where r.ctid = any ($1) and r.state = 'running'
  and (r.ctid, r.token) in (select c.place, c.token from unnest($1, $2) c (place, token))
returning r.ctid, r.token
