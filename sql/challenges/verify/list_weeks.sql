-- Lists the next weeks of groups for the verification of boards, ordered by group and week. $1 and $2: the last Monday
-- and the last group of the previous step. $3: the maximum number of weeks. $4: the seed for the group's hash. $5 and
-- $6: the start and the exclusive end of the selected range of hash values. Hash values are less than 2^20. Rows: the
-- Monday, the group. Locks: none. Index: challenge_board.
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
