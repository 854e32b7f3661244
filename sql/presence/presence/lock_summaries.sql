-- Locks the summaries of groups. $1: the groups. Rows: one for each group. Locks: the summaries, in order of id. Index:
-- group_summary_pkey. The statement must run before the statement that reads presences. In one statement, a transaction
-- that waited would overwrite newer data of the other transaction.
select group_id from group_summary
where group_id = any ($1)
order by group_id
for update
