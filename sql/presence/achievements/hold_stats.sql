-- Holds the statistics of users, so that no merge or deletion removes them meanwhile. $1 users. Rows: none.
-- Locks: their user_stats, FOR KEY SHARE, in order of id; a transaction that updates the counts does not wait for it.
-- Index: user_stats_pkey.
select from user_stats s where s.user_id = any ($1::text[]) order by s.user_id for key share
