-- Deletes a role's grant for a job. $1: the job's stored name. $2: the role's name. Rows: the number of deleted grants.
-- Locks: the deleted row. Index: job_grant_pkey.
delete from job_grant where job = $1 and role = $2
