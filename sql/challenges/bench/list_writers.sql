-- Lists the users who record workouts, for every nth group. $1: the number n. Rows: the user, the group, the value on
-- the check-in board. Locks: none. Indexes: challenge_board, standing_pkey.
select a.user_id::text, a.group_id::text, s.value
from active_group a
join challenge c on c.group_id = a.group_id and c.week_start = week_of(now()) and c.type = 'check-ins'
join standing s on s.challenge_id = c.id and s.user_id = a.user_id
where a.user_id like 'user-%' and substr(a.group_id, 7)::bigint % $1::bigint = 0
order by length(a.user_id), a.user_id
