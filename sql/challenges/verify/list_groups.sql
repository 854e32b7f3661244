-- Counts the members of the next groups. $1: the last group of the previous step. $2: the maximum number of groups. $3,
-- $4 and $5: the seed and the range of hash values, as in list_weeks. Rows: one row with the last group's id, the
-- number of groups, and a text with the wrong counts. For each group with a wrong count, the text has a line with the
-- group's id, the stored number and the correct number. If there are no more groups, the returned id is null. Locks:
-- none. Indexes: groups_pkey, member_pkey.
with next as materialized (
  select id, member_count from groups
  where id > $1
    and (hashtextextended(id, $3) & 1048575) >= $4 and (hashtextextended(id, $3) & 1048575) < $5
  order by id
  limit $2
)
select max(n.id)::text, count(*),
  coalesce(string_agg(concat_ws(e'\t', n.id, n.member_count, c.members), e'\n' order by n.id)
    filter (where n.member_count <> c.members), '')
from next n
cross join lateral (
  select count(*) as members from member m where m.group_id = n.id and m.left_at is null
) c
