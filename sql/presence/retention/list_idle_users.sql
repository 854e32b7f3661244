-- Lists anonymous users who have been idle for longer than the retention period. The user who has been idle longest is
-- listed first. $1: the maximum number of users to read. Rows: the id of each user. Locks: none.
select user_id from idle_users($1)
