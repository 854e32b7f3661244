-- Makes both boards of an active group's week where they are missing. $1 group, $2 the week's Monday.
-- Rows: the number made. Locks: the group FOR SHARE, so that none is made of one that is being deleted;
-- the new rows: a first workout of that week would wait for them, so
-- each group has a transaction of its own. Index: challenge_board.
insert into challenge (id, group_id, week_start, type)
select challenge_id(g.id, w.week, t), g.id, w.week, t
from (select id from groups where id = $1 and is_active for share) g,
  (select $2::text::date as week) w, unnest(enum_range(null::challenge_type)) t
on conflict do nothing
