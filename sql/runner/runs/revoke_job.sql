-- Deletes a role's grant for a job. $1: the stored name of the job. $2: the name of the role. Rows: the number of
-- deleted grants. Locks: the deleted row. Index: job_grant_pkey.
delete from job_grant where job = $1 and role = $2
