-- Makes claimed runs ready again; one that meets a ready run of its key is merged into it: higher
-- attempt, later due, smaller batch, newer payload, its own errors, its id kept as an earlier one. As in
-- the two others that do so.
-- $1 job, $2 keys, $3 token, $4 attempts to take off again, $5 milliseconds until due,
-- $6 batch limit (null: as before), $7 error (null: as before).
-- Rows: as many as still carried the token. Locks: the runs, and the ready ones they meet.
-- Index: run_pkey.
with taken as (
  delete from run where job = $1 and key = any ($2) and state = 'running' and token = $3 returning *
)
insert into run as r (id, job, key, state, due, first_event_at, last_event_at, attempt, crashes,
  batch_limit, payload, last_error, errors, earlier_ids)
select id, job, key, 'ready', now() + $5 * interval '1 millisecond', first_event_at,
  last_event_at, attempt - $4, crashes, coalesce($6, batch_limit), payload,
  coalesce($7, last_error), case when $4 = 0 then add_error(errors, attempt, $7) else errors end,
  earlier_ids
from taken
order by key
on conflict (job, key, state) do update
set attempt = greatest(r.attempt, excluded.attempt), due = greatest(r.due, excluded.due),
  crashes = greatest(r.crashes, excluded.crashes),
  batch_limit = coalesce(least(nullif(r.batch_limit, 0), nullif(excluded.batch_limit, 0)), 0),
  first_event_at = least(r.first_event_at, excluded.first_event_at),
  payload = coalesce(r.payload, excluded.payload),
  last_error = coalesce(excluded.last_error, r.last_error),
  errors = coalesce(excluded.errors, r.errors),
  earlier_ids = newest_ids(r.earlier_ids || excluded.earlier_ids || excluded.id)
