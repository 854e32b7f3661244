-- Contains each payload that the next run of the payload's key may use. A payload is free if it is not assigned to a
-- run. A payload is also free if its run was merged into another run. The conditions are scalar subqueries, because
-- the planner could turn NOT EXISTS into a scan of all running runs.
create or replace view free_payload with (security_invoker = true) as
select p.job, p.key, p.id, p.payload, p.ctid as place from run_payload p
where p.taken_by is null
  or (select true from run r
      where r.job = p.job and r.key = p.key and r.state = 'running' and r.id = p.taken_by) is null
    and (select true from dead_run d where d.id = p.taken_by) is null
