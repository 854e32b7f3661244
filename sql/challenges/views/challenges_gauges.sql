-- Contains the monitoring gauges of GymRats, which `gymrats status` and /metrics show. The gauges are the number of
-- weeks with open boards after the grace period, and the delay of the oldest such week. The third gauge is the number
-- of push notifications that were dropped because of their age or refused by a webhook. Index: challenge_open, with one
-- search per week.
-- needs: due_week
create or replace view challenges_gauges with (security_invoker = true) as
with recursive moment as materialized (
  select at, last_week from due_week
),
due as (
  (select c.week_start from challenge c
  where c.state = 'open' and c.week_start <= (select last_week from moment)
    -- A reopening lasts at most 7 days. An end more than 7 days in the future is ignored, because it was recorded while
    -- the clock was wrong.
    and (c.reopened_until is null or c.reopened_until <= (select at from moment)
      or c.reopened_until > (select at from moment) + interval '7 days 1 minute')
  order by c.week_start
  limit 1)
  union all
  select (
    select c.week_start from challenge c
    where c.state = 'open' and c.week_start > d.week_start and c.week_start <= (select last_week from moment)
      and (c.reopened_until is null or c.reopened_until <= (select at from moment)
        or c.reopened_until > (select at from moment) + interval '7 days 1 minute')
    order by c.week_start
    limit 1)
  from due d
  where d.week_start is not null
),
late as (
  select count(week_start)::double precision as weeks,
    coalesce(extract(epoch from (select at from moment) - (select grace from setting)
      - ((min(week_start) + 7)::timestamp at time zone 'UTC')), 0)::double precision as seconds
  from due
)
select g.name, g.help, g.value, g.most, g.next
from late, lateral (
  values
    ('week_closes_due', 'Weeks that are over, grace included, and not closed.', weeks, null::double precision, ''),
    ('week_closes_due_seconds', 'For how many seconds the oldest of these should be closed.', seconds,
      900::double precision,
      '`gymrats week status` says what holds it up; `gymrats run close-week` closes it.'),
    ('pushes_dropped',
      'Pushes that were older than push_age, or that a webhook did not accept, since the schema was created.',
      (select case when d.is_called then d.last_value else 0 end::double precision from dropped_push d),
      null::double precision, '')
) g (name, help, value, most, next)
