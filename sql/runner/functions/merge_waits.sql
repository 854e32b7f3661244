-- Merges the due times and priorities of two runs with the same key, if either run has a call with `replace`. Calls
-- before the newest call with `replace` are ignored. The value of first_event_at in the result is never before the time
-- of the newest call with `replace`.
-- needs: calls_of
create or replace function merge_waits(one run, other run) returns run_wait
language sql immutable
return (
  select row(
    case when bool_or(c.run_at is null)
      then greatest(least(one.first_event_at, other.first_event_at), min(c.at) filter (where c.event = r.event)) end,
    case when bool_or(c.run_at is null) then greatest(one.last_event_at, other.last_event_at) end,
    min(c.run_at), min(c.at) filter (where c.run_at is not null), min(c.priority))::run_wait
  from (select greatest(one.replaced_by, other.replaced_by)) r (event), unnest(calls_of(one) || calls_of(other)) c
  where c.event >= r.event)
