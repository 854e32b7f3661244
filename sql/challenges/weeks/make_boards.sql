-- Makes missing boards of an active group's week. $1 group, $2 the week's Monday. Rows: the number made. Locks: the
-- group FOR SHARE, so that no board is made for a group that is being deleted; the new rows. A first workout of that
-- week would wait for them, so each group has its own transaction. Index: challenge_board.
insert into challenge (id, group_id, week_start, type)
select challenge_id(g.id, w.week, t), g.id, w.week, t
from (select id from groups where id = $1 and is_active for share) g,
  (select $2::text::date as week) w, unnest(enum_range(null::challenge_type)) t
on conflict do nothing
