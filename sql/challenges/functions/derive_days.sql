-- Recomputes a member's days from the ledger, for repairs by a role that may not write days. The function covers a week
-- and the previous ten weeks, but no days more than 84 days ago. The caller must first call lock_member. If all
-- workouts of a day were deleted from the ledger, the day is not recomputed. list_drift has this limitation too. Index:
-- workout_local_date, workout_day_pkey.
-- needs: refresh_day
create or replace function derive_days(of_group text, of_user text, of_week date) returns bigint
language sql security definer set search_path from current as $$
select count(refresh_day(of_user, of_group, d.local_date, d.week_start)::text)
from (
  select w.local_date, w.week_start from workout w
  where w.user_id = of_user and w.group_id = of_group and w.counted
    and w.local_date between greatest(of_week - 70, (domain_now() at time zone 'UTC')::date - 84) and of_week + 7
  union
  select o.local_date, o.week_start from workout_day o
  where o.user_id = of_user and o.group_id = of_group
    and o.local_date between greatest(of_week - 70, (domain_now() at time zone 'UTC')::date - 84) and of_week + 7
) d
$$
