-- Lists the roles that may read the states of jobs' runs. $1: the job's stored name. $2: the role's name. A null
-- parameter applies no filter. Rows: the job, the role, and whether the role may cancel runs. Locks: none. Index:
-- job_grant_pkey.
select job, role, may_cancel
from job_grant
where ($1::text is null or job = $1) and ($2::text is null or role = $2)
order by job, role
