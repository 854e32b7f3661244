-- Locks the summaries of groups. $1: the ids of the groups. Rows: one row for each group. Locks: the summaries, in
-- order of id. Index: group_summary_pkey. The caller must read the presences in a separate statement after this one. If
-- this statement read the presences, it would read them before waiting for the locks, and the caller would overwrite
-- newer data.
select group_id from group_summary
where group_id = any ($1)
order by group_id
for update
