-- Creates the missing boards of an active group's week. $1: the group's id. $2: the week's Monday. Rows: one row with
-- the number of created boards. Locks: the new rows, and the group FOR SHARE, which prevents the group from being
-- deleted concurrently. Each group needs a separate transaction, because a group's first workout of the week waits for
-- the new rows. Index: challenge_board.
insert into challenge (id, group_id, week_start, type)
select challenge_id(g.id, w.week, t), g.id, w.week, t
from (select id from groups where id = $1 and is_active for share) g,
  (select $2::text::date as week) w, unnest(enum_range(null::challenge_type)) t
on conflict do nothing
