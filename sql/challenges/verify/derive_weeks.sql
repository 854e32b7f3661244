-- Counts the streaks of these days anew, oldest week first, and the member's entries of the week and of those
-- behind it. $1 group, $2 user, $3 Monday. Rows: one. Locks: the member's own rows, open boards FOR KEY
-- SHARE; the caller holds the member's. Index: workout_day_pkey.
select (
  select count(r.streak)
  from (
    select distinct week_start from workout_day
    where user_id = $2 and group_id = $1 and week_start < $3::text::date
      and local_date >= greatest($3::text::date - 70, domain_now()::date - 84)
    order by week_start
  ) d
  cross join setting s
  cross join lateral refresh_week($2, $1, d.week_start, s.max_checkins_per_day, s.streak_policy,
    s.streak_source) r
), derive_entries($2, $1, $3::text::date, domain_now())::text
