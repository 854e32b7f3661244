-- Recounts the members of a group. $1: the group's id. Rows: one row. Locks: the group. Users who are joining wait for
-- this lock. Indexes: groups_pkey, member_pkey.
select recount_members($1::text)
