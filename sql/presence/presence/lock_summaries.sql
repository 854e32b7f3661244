-- Holds the lines of groups. $1 groups. Rows: one a group. Locks: those rows, in order of id. Index: group_summary_pkey.
-- A statement of its own, ahead of the one that reads presences: whoever had to wait would otherwise write from a
-- snapshot older than what the other one wrote.
select group_id from group_summary
where group_id = any ($1)
order by group_id
for update
