-- Creates groups, and two boards of the current week for each group. $1: the number of groups. Rows: one row for each
-- created board. Locks: the new rows.
with made as (
  insert into groups (id, name, max_members)
  select 'group-' || g, 'Group ' || g, 1000 from generate_series(1, $1::bigint) g
  returning id
)
insert into challenge (id, group_id, week_start, type)
select challenge_id(id, week, t), id, week, t
from made, week_of(now()) week, unnest(enum_range(null::challenge_type)) t
