-- Contains each payload that the next run of the payload's key may use. A payload is free if it is not assigned to a
-- run. A payload is also free if its run was merged into another run.
create or replace view free_payload with (security_invoker = true) as
select p.job, p.key, p.id, p.payload from run_payload p
where p.taken_by is null
  or not exists (
      select from run r
      where r.job = p.job and r.key = p.key and r.state = 'running' and r.id = p.taken_by)
    and not exists (select from dead_run d where d.id = p.taken_by)
