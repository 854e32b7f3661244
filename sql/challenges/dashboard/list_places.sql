-- Lists the positions on the boards of a group's week, ordered by type and position. $1: the group's id. $2: the week's
-- Monday. $3: the maximum number of positions per board. Rows: type, state of the board, position, rank, member, value,
-- rank in the previous week (or null), time of publication. Locks: none. Indexes: challenge_board, standing_pkey.
select c.type::text, c.state::text, s.position, s.rank, redacted(s.display_name), s.value, before.rank,
  s.last_updated
from challenge c
join standing s on s.challenge_id = c.id and s.position <= $3
left join challenge earlier on earlier.group_id = c.group_id
  and earlier.week_start = c.week_start - 7 and earlier.type = c.type
left join standing before on before.challenge_id = earlier.id and before.user_id = s.user_id
where c.group_id = $1 and c.week_start = $2::text::date
order by c.type, s.position
