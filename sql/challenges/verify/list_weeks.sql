-- Lists the next weeks of groups whose boards are verified, ordered by group and week. $1 and $2 are the last Monday
-- and group of the previous step, $3 is the maximum number of weeks. $4: the seed of the hash of the group. Hash values
-- are below 2^20. Groups with a hash from $5 up to, but not including, $6 are selected. Rows: Monday, group. Locks:
-- none. Index: challenge_board.
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
