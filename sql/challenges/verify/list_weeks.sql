-- The next weeks of groups whose boards are verified, by group and week. $1, $2 the last Monday and group of the
-- previous step; $3 how many; $4 a seed, $5 and $6 the share of 2^20 by the group's hash, $6 not included.
-- Rows: Monday, group. Locks: none. Index: challenge_board.
select w.week_start::text, w.group_id::text
from (
  select distinct group_id, week_start from challenge
  where state <> 'cancelled' and (group_id, week_start) > ($2, $1::text::date)
    and (hashtextextended(group_id, $4) & 1048575) >= $5
    and (hashtextextended(group_id, $4) & 1048575) < $6
  order by group_id, week_start
  limit $3
) w
order by w.group_id, w.week_start
