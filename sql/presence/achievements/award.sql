-- Unlocks all locked achievements whose goals the given users have reached. $1: the ids of the users. An earlier
-- statement of the transaction must have locked the users' statistics. Rows: one row with the number of new unlocks.
-- Locks: the new unlocks, ordered by user and type. Indexes: user_stats_pkey, unlock_pkey.
insert into unlock (user_id, achievement, unlocked_at, points)
select s.user_id, a.type, domain_now(), a.points
from user_stats s
cross join achievement a
where s.user_id = any ($1::text[]) and counted(s, a.counter) >= a.goal
order by s.user_id, a.type
on conflict (user_id, achievement) do nothing
