-- Checks whether any week still has open boards after the end of the grace period. $1: the Monday of a single week in
-- days since 1970-01-01, or null for all weeks. Rows: one row with a boolean that is true if an open board is due.
-- Locks: none. Index: challenge_open, up to the last ended week. With EXISTS, the planner might read all boards.
select (
  select true from challenge c
  where c.state = 'open' and c.week_start <= (select last_week from due_week)
    and ($1::bigint is null or c.week_start = date '1970-01-01' + $1::bigint::integer)
    and (c.reopened_until is null or c.reopened_until <= domain_now()
      or c.reopened_until > domain_now() + interval '7 days 1 minute')
  order by c.week_start, c.group_id
  limit 1) is not null
