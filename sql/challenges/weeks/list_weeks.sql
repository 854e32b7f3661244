-- Lists weeks with boards, newest first. $1: the maximum number of weeks. $2: the maximum number of boards to count in
-- each state, or null to count all boards. Rows: the week's Monday, the ISO label, and the numbers of open, settling,
-- closed and cancelled boards. The last columns are the time of the last close of a board, and the number of seconds by
-- which the week's close is overdue, or 0. A close is overdue after the grace period, and a reopened board after the
-- reopening has ended. A settling board belongs to a week that has ended but is not closed. Locks: none. The statement
-- finds each week by searching backward from the next newer week. If $2 is not null, the cost does not depend on the
-- number of groups. Indexes: challenge_open, challenge_ended.
with recursive moment as materialized (
  select domain_now() as at, s.grace from setting s
),
week (week_start, place) as (
  select greatest(
    (select max(c.week_start) from challenge c where c.state = 'open'),
    (select max(c.week_start) from challenge c where c.state <> 'open')), 1::bigint
  union all
  select greatest(
    (select max(c.week_start) from challenge c where c.state = 'open' and c.week_start < w.week_start),
    (select max(c.week_start) from challenge c where c.state <> 'open' and c.week_start < w.week_start)), w.place + 1
  from week w
  where w.week_start is not null and w.place < $1
),
listed as (
  select w.week_start, (w.week_start + 7)::timestamp at time zone 'UTC' as ends_at
  from week w
  where w.week_start is not null
)
select w.week_start::text, to_char(w.week_start, 'IYYY-"W"IW'),
  case when w.ends_at > m.at then o.boards else 0 end, case when w.ends_at > m.at then 0 else o.boards end,
  closed.boards, cancelled.boards,
  iso_text((
    select c.closed_at from challenge c
    where c.state = 'closed' and c.week_start = w.week_start and c.closed_at is not null
    order by c.closed_at desc
    limit 1)),
  case when o.boards = 0 or w.ends_at + m.grace >= m.at then 0
    when exists (
      select from challenge c
      where c.state = 'open' and c.week_start = w.week_start
        and (c.reopened_until is null or c.reopened_until <= m.at
          or c.reopened_until > m.at + interval '7 days 1 minute'))
    then extract(epoch from m.at - m.grace - w.ends_at)::bigint else 0 end
from listed w
cross join moment m
cross join lateral (
  select count(*) as boards
  from (select from challenge c where c.state = 'open' and c.week_start = w.week_start limit $2) b) o
cross join lateral (
  select count(*) as boards
  from (select from challenge c where c.state = 'closed' and c.week_start = w.week_start limit $2) b) closed
cross join lateral (
  select count(*) as boards
  from (select from challenge c where c.state = 'cancelled' and c.week_start = w.week_start limit $2) b) cancelled
order by w.week_start desc
