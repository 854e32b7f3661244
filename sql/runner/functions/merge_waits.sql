-- Merges the due times and priorities of two runs with the same key, if either run has a call with `replace`. The run
-- `winner` has the newest call with `replace`, so none of its calls are replaced. Calls of the run `loser` before this
-- call are ignored. The value of first_event_at in the result is never before the winner's first call.
-- needs: calls_of
create or replace function merge_waits(one run, other run) returns run_wait
language sql immutable
return (
  select row(
    least((s.winner).first_event_at, case when c.has_event
      then greatest((s.loser).first_event_at, least((s.winner).first_event_at, (s.winner).asked_at)) end),
    greatest((s.winner).last_event_at, case when c.has_event then (s.loser).last_event_at end),
    least((s.winner).run_at, c.run_at), least((s.winner).asked_at, c.asked_at),
    least((s.winner).priority, c.priority))::run_wait
  from (
    select case when one.replaced_by >= coalesce(other.replaced_by, 0) then one else other end as winner,
      case when one.replaced_by >= coalesce(other.replaced_by, 0) then other else one end as loser) s,
  lateral (
    select bool_or(c.run_at is null) as has_event, min(c.run_at) as run_at,
      min(c.at) filter (where c.run_at is not null) as asked_at, min(c.priority) as priority
    from unnest(calls_of(s.loser)) c
    where c.event >= (s.winner).replaced_by) c)
