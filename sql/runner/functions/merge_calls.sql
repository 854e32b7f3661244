-- Returns those calls of a run that can still affect the run's due time or priority. `since` is the number of the
-- newest call with `replace`. The function omits calls before `since`. The function also omits a call if a newer call
-- has the same or a more urgent priority, and the same or an earlier time. At most the 20 most recent calls are
-- returned, oldest first.
create or replace function merge_calls(calls run_call[], since bigint) returns run_call[]
language sql immutable
return (
  select array_agg(row(k.event, k.at, k.run_at, k.priority)::run_call order by k.event)
  from (
    select c.event, c.at, c.run_at, c.priority
    from unnest(calls) c
    where c.event >= coalesce(since, 0)
      and not exists (
        select from unnest(calls) l
        where l.event > c.event and l.priority <= c.priority and (l.run_at is null) = (c.run_at is null)
          and (l.run_at <= c.run_at) is not false)
    order by c.event desc
    limit 20) k)
