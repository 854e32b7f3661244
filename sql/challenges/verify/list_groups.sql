-- The next groups whose members are counted. $1 the last group of the previous step, $2 how many; $3, $4 and $5: the
-- seed and the share, as in list_weeks. Rows: one: the last id, null at the end; the number of groups; the groups with
-- a wrong count, one line each with the stored and the right number. Locks: none. Index: groups_pkey, member_pkey.
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
