-- Stores the later names of a job. $1: the stored name. $2: the later names. Rows: the number of new names. Locks: the
-- new rows. Index: job_alias_pkey.
insert into job_alias (name, job)
select name, $1 from unnest($2::text[]) n (name)
on conflict (name) do nothing
