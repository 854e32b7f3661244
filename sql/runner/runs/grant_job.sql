-- Allows a role to read the states of a job's runs, and optionally to cancel them. $1: the job's stored name. $2: the
-- role's name. $3: true if the role may cancel runs. Rows: 1 affected row, or 0 if the role does not exist. Locks: the
-- grant's row. Index: job_grant_pkey.
insert into job_grant as g (job, role, may_cancel)
select $1, r.rolname, $3 from pg_roles r where r.rolname = $2
on conflict (job, role) do update set may_cancel = excluded.may_cancel, granted_at = excluded.granted_at
