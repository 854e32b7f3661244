-- Which viewers may not see what happens in a group. $1 users, $2 the group of each. Rows: number in the list from 1,
-- name of the error. Locks: none. Index: member_pkey.
select number, refusal from refused_viewers($1, $2)
