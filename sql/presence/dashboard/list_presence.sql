-- Lists up to 51 groups with at least one present user, ordered by id. $1: a prefix of the id, or an empty string for
-- all groups. $2: the id after which the list starts. Rows: id, name, number of present users, number of members, time
-- when the number of present users was last updated. A job writes the number of present users, so the number may be 0
-- for a short time. Locks: none. Indexes: presence_present, group_summary_pkey, groups_pkey. The statement finds the
-- next group by an index search, and does not read summaries of groups without present users.
with recursive place (group_id) as (
  (select p.group_id from presence p
  where p.is_present and p.group_id > $2 and p.group_id >= $1 and p.group_id < $1 || chr(1114111)
  order by p.group_id
  limit 1)
  union all
  select (
    select p.group_id from presence p
    where p.is_present and p.group_id > l.group_id and p.group_id < $1 || chr(1114111)
    order by p.group_id
    limit 1)
  from place l
  where l.group_id is not null
),
listed as materialized (
  select group_id from place where starts_with(group_id, $1) limit 51
)
select g.id::text, redacted(g.name), coalesce(s.present_count, 0), g.member_count, coalesce(iso_text(s.changed_at), '')
from listed l
join groups g on g.id = l.group_id
left join group_summary s on s.group_id = g.id
order by g.id
