-- Lists the values of some members on the check-in boards. $1: the ids of the users. Rows: the user, the value. Locks:
-- none. Indexes: active_group_pkey, challenge_board, standing_pkey.
select s.user_id::text, s.value
from active_group a
join challenge c on c.group_id = a.group_id and c.week_start = week_of(now())
  and c.type = 'check-ins'
join standing s on s.challenge_id = c.id and s.user_id = a.user_id
where a.user_id = any ($1)
