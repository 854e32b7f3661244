-- Derives the days behind a member's week anew from the ledger: ten weeks, those at least that record_workout
-- could reach. $1 group, $2 user, $3 Monday. Rows: one a day. Locks: the member's own rows; the caller holds
-- theirs. Index: workout_date, workout_day_pkey.
-- What has left the ledger is not looked for: the horizon of list_drift.
select count(refresh_day($2, $1, d.local_date, d.week_start)::text)
from (
  select w.local_date, w.week_start from workout w
  where w.user_id = $2 and w.group_id = $1 and w.counted
    and w.local_date between greatest($3::text::date - 70, domain_now()::date - 84) and $3::text::date + 7
  union
  select o.local_date, o.week_start from workout_day o
  where o.user_id = $2 and o.group_id = $1
    and o.local_date between greatest($3::text::date - 70, domain_now()::date - 84) and $3::text::date + 7
) d
