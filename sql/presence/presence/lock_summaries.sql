-- Locks the summaries of groups. $1 groups. Rows: one for each group. Locks: those rows, in order of id.
-- Index: group_summary_pkey. It is a separate statement before the one that reads presences: otherwise a transaction
-- that had to wait would write from a snapshot older than what the other one wrote.
select group_id from group_summary
where group_id = any ($1)
order by group_id
for update
