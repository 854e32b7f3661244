-- Locks the summaries of groups. $1: the ids of the groups. Rows: one row for each group. Locks: the summaries, in the
-- order of their ids. Index: group_summary_pkey. A later statement must read the presences. If one statement did both,
-- a transaction that had to wait would overwrite newer data of the other transaction.
select group_id from group_summary
where group_id = any ($1)
order by group_id
for update
