-- Counts the members of a group anew. $1 its id. Rows: one. Locks: the group, against whoever joins.
-- Index: groups_pkey, member_pkey.
select recount_members($1::text)
