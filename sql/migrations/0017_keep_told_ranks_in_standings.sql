-- The rank a member was told last stands in the member's standing, which the same job reads anyway: as a
-- table of its own it was read, indexed and removed ten rows a board. docs/weeks.md has states and locks,
-- docs/decisions/0012-told-ranks-stand-in-standings.md the reasons.

-- Null until the member was first seen by the job that tells ranks; written by it alone, under the
-- publish lock. Publishing writes the other columns and keeps these.
alter table standing
  add told_rank integer,
  -- The value it was told with, and when.
  add told_value integer,
  add told_at timestamptz,
  -- The unread notice that said so, and the rank that it counts from.
  add notice_created_at timestamptz,
  add notice_id bigint,
  add notice_from integer;

-- Of a closed board nothing is told any more.
update standing s
set told_rank = t.rank, told_value = t.value, told_at = t.told_at,
  notice_created_at = t.notice_created_at, notice_id = t.notice_id, notice_from = t.notice_from
from told_rank t, challenge c
where c.state = 'open' and t.challenge_id = c.id
  and s.challenge_id = t.challenge_id and s.user_id = t.user_id;

drop table told_rank
