-- Corrects the due times of waiting runs after the server's clock was set back. $1: how far the clock was set back, in
-- ms. While the clock was wrong, backoffs and debounces were computed from times that are now in the future. If a run
-- is due at the time that a caller requested, its due time does not change. Runs that have only such a time, for
-- example millions of timers, are read but not changed. Rows: one row with the number of changed runs. Locks: the
-- changed runs, SKIP LOCKED, because another worker may be changing a run. Index: run_ready, which is read completely.
-- The statement is executed only after the clock was set back.
with late as (
  select ctid as place from run
  where worker is null and due > now() + interval '1 second'
    and (first_event_at is null and last_event_at is null and backoff_until is null and asked_at <= now()
      and due = server_time(run_at)) is not true
  for update skip locked
)
update run r
set backoff_until = r.backoff_until - $1 * interval '1 millisecond',
  first_event_at = least(r.first_event_at, now()), last_event_at = least(r.last_event_at, now()),
  asked_at = least(r.asked_at, now()),
  due = greatest(now(), case when r.first_event_at is null
      then greatest(r.backoff_until - $1 * interval '1 millisecond', server_time(r.run_at))
    when r.due = server_time(r.run_at) then r.due
    else r.due - $1 * interval '1 millisecond' end)
from late
where r.ctid = late.place
