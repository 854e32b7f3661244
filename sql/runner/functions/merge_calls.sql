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
    -- One sort for each priority finds the earliest time of all newer calls that are at least as urgent. A comparison of
    -- each call with each other call would take seconds for 4,000 calls.
    from (select distinct priority from unnest(calls)) p, lateral (
      select u.*, min(coalesce(u.run_at, 'infinity')) over newer as earliest
      from unnest(calls) u
      where u.priority <= p.priority
      window newer as (partition by u.run_at is null order by u.event desc groups between unbounded preceding
        and 1 preceding)) c
    where c.priority = p.priority and c.event >= coalesce(since, 0)
      and (c.earliest > coalesce(c.run_at, 'infinity')) is not false
    order by c.event desc
    limit 20) k)
