-- Finds a run by its id, or by the id of a run that was merged into it. If job and key are given, the run with this job
-- and key is searched first. The state is ready, running, dead, or unfolded if the run's event is not dispatched yet. If
-- the run has ended, the state is its outcome, or `ended` if only a failed attempt remains. Rows: at most one. Locks:
-- none. Only the last three queries read the event log, all dead runs or all waiting runs, because no index contains the
-- ids of merged runs. The function is STABLE, so all queries have one snapshot. Indexes: run_pkey, run_waiting_id,
-- run_running, dead_run_pkey, dead_run_key, run_history_id, run_history_earlier_ids, failed_attempt_run.
-- needs: unfolded_event
create or replace function locate_run(of_id bigint, of_job text, of_key text)
returns table (id bigint, job text, key text, state text, has_ended boolean)
language plpgsql stable rows 1 set search_path from current as $$
begin
  return query select r.id, r.job, r.key, case when r.worker is null then 'ready' else 'running' end, false
  from run r where r.job = of_job and r.key = of_key and (r.id = of_id or of_id = any (r.earlier_ids))
  limit 1;
  if found then return; end if;
  return query select r.id, r.job, r.key, 'ready', false from run r where r.worker is null and r.id = of_id;
  if found then return; end if;
  return query select r.id, r.job, r.key, 'running', false
  from run r where r.worker is not null and (r.id = of_id or of_id = any (r.earlier_ids))
  limit 1;
  if found then return; end if;
  return query select d.id, d.job, d.key, 'dead', false from dead_run d where d.id = of_id;
  if found then return; end if;

  -- A run that failed or died may have been merged into a newer run with the same key.
  select t.job, t.key into of_job, of_key
  from (
    (select h.job, h.key from run_history h where h.id = of_id or h.earlier_ids @> array[of_id] limit 1)
    union all
    (select a.job, a.key from failed_attempt a where a.run_id = of_id limit 1)) t
  limit 1;
  if found then
    return query select r.id, r.job, r.key, 'ready', false
    from run r
    where r.job = of_job and r.key = of_key and r.worker is null and of_id = any (r.earlier_ids)
    limit 1;
    if found then return; end if;
    return query select d.id, d.job, d.key, 'dead', false
    from dead_run d where d.job = of_job and d.key = of_key and of_id = any (d.earlier_ids)
    limit 1;
    if found then return; end if;
    return query select h.id, h.job, h.key, h.outcome, true
    from run_history h where h.id = of_id or h.earlier_ids @> array[of_id]
    order by h.created_at desc
    limit 1;
    if found then return; end if;
    return query select of_id, of_job, of_key, 'ended', true;
    return;
  end if;

  -- The beginning of a wait, which also has the run's id, has another topic (append_wait).
  return query select e.run_id, substr(e.topic, length('enqueue/') + 1), e.key, 'unfolded', false
  from unfolded_event e where e.run_id = of_id and e.topic >= 'enqueue/' and e.topic < 'enqueue0'
  limit 1;
  if found then return; end if;
  return query select d.id, d.job, d.key, 'dead', false from dead_run d where of_id = any (d.earlier_ids) limit 1;
  if found then return; end if;
  return query select r.id, r.job, r.key, 'ready', false
  from run r where r.worker is null and of_id = any (r.earlier_ids)
  limit 1;
end $$
