-- Locks the statistics of users, so that no concurrent merge or deletion removes the statistics. $1: the ids of the
-- users. Rows: none. Locks: the rows of user_stats, FOR KEY SHARE, in order of id. Transactions that update counts in
-- user_stats do not wait for this lock. Index: user_stats_pkey.
select from user_stats s where s.user_id = any ($1::text[]) order by s.user_id for key share
