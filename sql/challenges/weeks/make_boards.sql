-- Makes both boards of a group's week where they are missing. $1 group, $2 the week's Monday.
-- Rows: the number made. Locks: the new rows: a first workout of that week would wait for them, so
-- each group has a transaction of its own. Index: challenge_board.
insert into challenge (id, group_id, week_start, type)
select challenge_id($1, w.week, t), $1, w.week, t
from (select $2::text::date as week) w, unnest(enum_range(null::challenge_type)) t
on conflict do nothing
