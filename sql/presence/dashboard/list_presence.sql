-- Groups where somebody is, by id, 51 at most. $1 what the id begins with ('': all), $2 only those behind this id ('': all).
-- Rows: id, name, how many are there, members, when that was last written. Locks: none. Index: group_summary_pkey,
-- groups_pkey.
select g.id::text, redacted(g.name), s.present_count, g.member_count, iso_text(s.changed_at)
from group_summary s
join groups g on g.id = s.group_id
where s.group_id > $2 and starts_with(s.group_id, $1) and s.group_id >= $1 and s.present_count > 0
order by s.group_id
limit 51
