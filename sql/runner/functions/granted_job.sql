-- Returns the stored name of a job if the caller may read the states of the job's runs, or may cancel them. A caller
-- with an operator's table privileges may read the states of all runs and cancel all runs. A caller without an
-- operator's table privileges needs a role to which the `jobs grant` command has granted the job. Errors: ZB005
-- (unknown job), 42501 (no grant). Locks: none.
-- needs: caller
create or replace function granted_job(name text, cancels boolean) returns text
language plpgsql stable as $$
declare
  stored text;
begin
  select j.name into stored
  from job j
  where j.name = coalesce((select a.job from job_alias a where a.name = granted_job.name), granted_job.name);
  if stored is null then
    raise exception 'there is no job %', quote_nullable(left(name, 64))
      using errcode = 'ZB005', hint = 'Nothing was read or changed. The command `jobs` lists the jobs.';
  end if;
  if cancels and has_table_privilege(caller(), 'cancellation', 'insert')
    or not cancels and has_table_privilege(caller(), 'run', 'select')
    or exists (
      select from job_grant g
      join pg_roles r on r.rolname = g.role
      where g.job = stored and (g.may_cancel or not cancels) and pg_has_role(caller(), r.oid, 'usage'))
  then
    return stored;
  end if;
  raise exception 'the role % may not % of the job %', quote_ident(caller()),
      case when cancels then 'cancel runs' else 'read states of runs' end, quote_literal(stored)
    using errcode = '42501', hint = format('Nothing was read or changed. Run: baton jobs grant %s %s%s', stored,
      caller(), case when cancels then ' --cancel' else '' end);
end $$
