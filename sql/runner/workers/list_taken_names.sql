-- Lists the names of a program's jobs that already belong to other jobs of the schema. $1: the stored names of the
-- jobs. $2: the later names of the jobs. $3: for each later name, the stored name of its job. Rows: one row for each
-- conflict, with the name, the stored name of the declaring job, and the stored name of the existing job. Locks: none.
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
