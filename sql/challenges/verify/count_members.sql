-- Recounts the members of a group. $1: the group's id. Rows: one row. Locks: the group, so that users who join wait.
-- Indexes: groups_pkey, member_pkey.
select recount_members($1::text)
