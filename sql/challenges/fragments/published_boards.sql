-- Selects the standings `s` on the boards `c`, ordered by position, and joins the previous week's standings `before`.
-- $1: the id or the name of a group, or null for all groups. $2: any day of a week, or null for all weeks. $3: the
-- board's type, or null for both types. Rows: one row for each standing. Locks: none. Indexes: challenge_board,
-- standing_pkey.
from challenge c
join groups g on g.id = c.group_id
join standing s on s.challenge_id = c.id
left join challenge earlier on earlier.group_id = c.group_id
  and earlier.week_start = c.week_start - 7 and earlier.type = c.type
left join standing before on before.challenge_id = earlier.id and before.user_id = s.user_id
where ($1::text is null or g.id = $1 or g.name = $1)
  and ($2::text is null or c.week_start = $2::text::date - (extract(isodow from $2::text::date)::integer - 1))
  and ($3::text is null or c.type = $3::challenge_type)
order by c.group_id, c.week_start, c.type, s.position
