-- Records an event for each of the next open boards, so that these boards' ranks are recomputed. $1, $2 and $3: the
-- week, the group and the id of the previous call's last board. $4: the maximum number of boards. Rows: one row with
-- the week, group and id of the last board, and the number of boards. If no open boards are left, no rows are returned.
-- Locks: none. Index: challenge_open.
with next as materialized (
  select c.week_start, c.group_id, c.id
  from challenge c
  where c.state = 'open' and (c.week_start, c.group_id, c.id) > ($1::text::date, $2, $3::text::uuid)
  order by c.week_start, c.group_id, c.id
  limit $4
)
select l.week_start::text, l.group_id::text, l.id::text, (select count(*) from next)
from (
  select * from next order by week_start desc, group_id desc, id desc limit 1
) l
cross join lateral append_events('entry.changed', array(select id::text from next order by id))
