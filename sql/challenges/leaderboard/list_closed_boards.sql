-- Lists the standings of boards that were closed at a given time. $1: the time on the development clock. Rows: the same
-- columns as in list_boards, ordered by group, week, type and position. Locks: none. The statement reads all stored
-- boards. A replay executes the statement once for each closed week.
select c.group_id::text, c.week_start::text, c.type::text, s.display_name, s.value, s.rank, s.position,
  null::integer, s.user_id
from challenge c
join standing s on s.challenge_id = c.id
where c.closed_at = $1
order by c.group_id, c.week_start, c.type, s.position
