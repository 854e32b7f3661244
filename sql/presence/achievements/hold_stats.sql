-- Keeps the numbers of users from going with a merge or a deletion. $1 users. Rows: none. Locks: their user_stats, FOR
-- KEY SHARE, in order of id; whoever counts does not wait for it. Index: user_stats_pkey.
select from user_stats s where s.user_id = any ($1::text[]) order by s.user_id for key share
