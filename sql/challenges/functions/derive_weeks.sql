-- Recomputes the streaks of a member's days, oldest week first, and then the entries of the given week and of later
-- weeks. The function is used for repairs by a role that may not write entries. Index: workout_day_pkey.
-- needs: refresh_week, derive_entries
create or replace function derive_weeks(of_group text, of_user text, of_week date) returns bigint
language sql security definer set search_path from current as $$
with counted as (
  select count(r.streak) as weeks
  from (
    select distinct week_start from workout_day
    where user_id = of_user and group_id = of_group and week_start < of_week
      and local_date >= greatest(of_week - 70, (domain_now() at time zone 'UTC')::date - 84)
    order by week_start
  ) d
  cross join setting s
  cross join lateral refresh_week(of_user, of_group, d.week_start, s.max_checkins_per_day,
    s.streak_policy, s.streak_source) r
)
select weeks + length(derive_entries(of_user, of_group, of_week, domain_now())::text) from counted
$$
