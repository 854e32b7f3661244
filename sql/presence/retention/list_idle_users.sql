-- Lists anonymous users that are idle for longer than the retention time, longest first. $1: the maximum number of
-- users that are read. Rows: the ids. Locks: none.
select user_id from idle_users($1)
