-- Locks the statistics of users, so that no merge or deletion removes them in the meantime. $1: the users. Rows: none.
-- Locks: the rows of user_stats, FOR KEY SHARE, in order of id. A transaction that updates the counts does not wait for
-- the lock of hold_stats. Index: user_stats_pkey.
select from user_stats s where s.user_id = any ($1::text[]) order by s.user_id for key share
