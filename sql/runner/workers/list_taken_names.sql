-- Lists the names of a program's jobs that already belong to other jobs in the schema. A renamed job has its first name
-- as its stored name, and each new name as a later name. $1: the stored names of the program's jobs. $2: the names to
-- which these jobs were later renamed. $3: for each element of $2, the stored name of the same job. Rows: one row for
-- each conflict, with the name, the declaring job's stored name, and the existing job's stored name. Locks: none.
-- Indexes: job_pkey, job_alias_pkey.
select own.name, own.name as job, a.job as other
from unnest($1::text[]) own (name)
join job_alias a on a.name = own.name
union all
select own.name, own.job, coalesce(j.name, a.job)
from unnest($2::text[], $3::text[]) own (name, job)
left join job j on j.name = own.name
left join job_alias a on a.name = own.name and a.job <> own.job
where j.name is not null or a.name is not null
order by 1
