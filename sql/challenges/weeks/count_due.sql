-- Weeks that are over, grace included, with boards that are not closed, and since when the oldest should be.
-- Rows: one: weeks, seconds (0: none is due). Locks: none. Index: challenge_open, from week to week.
with recursive moment as materialized (
  select at, last_week from due_week
),
due as (
  (select c.week_start from challenge c
  where c.state = 'open' and c.week_start <= (select last_week from moment)
    and (c.reopened_until is null or c.reopened_until <= (select at from moment))
  order by c.week_start
  limit 1)
  union all
  select (
    select c.week_start from challenge c
    where c.state = 'open' and c.week_start > d.week_start and c.week_start <= (select last_week from moment)
      and (c.reopened_until is null or c.reopened_until <= (select at from moment))
    order by c.week_start
    limit 1)
  from due d
  where d.week_start is not null
)
select count(week_start),
  coalesce(extract(epoch from (select at from moment) - (select grace from setting)
    - ((min(week_start) + 7)::timestamp at time zone 'UTC')), 0)::bigint
from due
