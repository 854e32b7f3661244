-- Lists the standings of the given boards, ordered by position. $1: the ids of the boards. Rows: the same columns as in
-- list_boards. Locks: none. Index: standing_pkey.
select c.group_id, c.week_start::text, c.type::text, s.display_name, s.value, s.rank, s.position,
  before.rank, s.user_id
from challenge c
join standing s on s.challenge_id = c.id
left join challenge earlier on earlier.group_id = c.group_id
  and earlier.week_start = c.week_start - 7 and earlier.type = c.type
left join standing before on before.challenge_id = earlier.id and before.user_id = s.user_id
where c.id = any ($1)
order by c.group_id, c.week_start, c.type, s.position
