-- Finds the latest week in which a group has a standing. $1: the group's id or name. Rows: one row with a boolean that
-- is true if the group exists, and the week's Monday (null if the group has no standing). Locks: none. Index:
-- challenge_board.
select
  exists (select from groups where id = $1 or name = $1),
  (select c.week_start::text
   from challenge c
   join groups g on g.id = c.group_id
   where (g.id = $1 or g.name = $1)
     and exists (select from standing s where s.challenge_id = c.id)
   order by c.week_start desc
   limit 1)
