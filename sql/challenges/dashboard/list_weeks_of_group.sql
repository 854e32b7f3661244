-- Lists the 20 newest weeks in which a group has boards. $1: the group's id. Rows: the week's Monday. Locks: none.
-- Index: challenge_board.
select distinct c.week_start::text
from challenge c
where c.group_id = $1
order by c.week_start::text desc
limit 20
