-- Reopens batch members after a statement has retried their dead runs. $1: the jobs of the dead runs. $2: the dead
-- runs' keys. Rows: one row with the number of members. Locks: see reopen_members. Indexes: batch_member_key, run_pkey.
select reopen_members($1, $2)
