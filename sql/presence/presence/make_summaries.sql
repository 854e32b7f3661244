-- Creates the missing summaries of groups. $1: the ids of the groups. Rows: none. Locks: the new rows. Index:
-- group_summary_pkey.
insert into group_summary (group_id, present_count, latest, version, changed_at)
select g.id, 0, '{}', 0, domain_now()
from groups g
where g.id = any ($1)
order by g.id
on conflict do nothing
