-- Returns the state of each given run as JSON, in array order. A run is identified by the id that `enqueue` returned,
-- the job, and the key. For a call without a key, the element of `keys` is null. A run's element is null if no record
-- of the run exists. If the run of an id was merged into another run, the element contains the other run's state.
-- Errors of attempts are not returned. The function is VOLATILE, so that its main query takes a snapshot after it has
-- locked the tables. Errors: ZB005, 42501. Locks: none.
-- needs: granted_job, iso_text, require_read_committed, unfolded_event
create or replace function run_states(ids bigint[], jobs text[], keys text[] default null) returns setof jsonb
language plpgsql security definer set search_path from current as $$
declare
  stored text[];
begin
  perform require_read_committed();
  select array_agg(g.stored order by j.number) into stored
  from unnest(jobs) with ordinality j (name, number)
  join (
    select d.name, granted_job(d.name, false) as stored
    from (select distinct n.name from unnest(jobs) n (name)) d) g on g.name is not distinct from j.name;
  return query
  with asked as materialized (
    select a.id, a.job, coalesce(a.key, '#' || a.id) as key, a.number
    from unnest(ids, stored, keys) with ordinality a (id, job, key, number)
    where a.number <= cardinality(ids)
  ),
  pending as materialized (
    select e.run_id, e.topic, e.key, e.run_at from unfolded_event e where e.run_id = any (ids)
  )
  select case when f.id is not null then jsonb_strip_nulls(jsonb_build_object('run', f.id, 'state', f.state,
      'attempt', f.attempt,
      'due', iso_text(f.due, '.MS'), 'ended_at', iso_text(f.ended_at, '.MS'),
      'cancelling', case when f.ended_at is null and (
        exists (select from cancellation c where c.run_id = f.id)
        or exists (select from cancel_request q where q.run_id = a.id)) then true end)
      -- A cancelled run keeps its checkpoint until purge-runs deletes it. The subqueries search only by primary keys.
      || coalesce(case when f.state in ('waiting', 'running', 'sleeping', 'dead') then (
        select jsonb_build_object('progress_done', c.done, 'progress_total', c.total, 'steps', (
          select jsonb_agg(s.name order by s.saved_at, s.name) from run_step s where s.run_id = c.run_id))
        from run_checkpoint c
        where c.run_id = f.id) end, '{}'))
    || case when f.output is null then '{}' else jsonb_build_object('output', f.output) end end
  from asked a
  left join lateral (
    select r.id, case when r.worker is not null then 'running' when r.due > pg_catalog.now() then 'sleeping'
        else 'waiting' end as state,
      r.attempt, case when r.worker is null and r.due > pg_catalog.now() then
        case when isfinite(r.due) then r.due else r.run_at end end as due,
      null::timestamptz as ended_at, null::jsonb as output
    from run r
    where r.job = a.job and r.key = a.key and (r.id = a.id or a.id = any (r.earlier_ids))
    union all
    select d.id, 'dead', d.attempt, null, d.died_at, null
    from dead_run d
    where d.job = a.job and d.key = a.key and (d.id = a.id or a.id = any (d.earlier_ids))
    union all
    (select h.id, case h.outcome when 'done' then 'ended' else h.outcome end, h.attempt, null, h.created_at, h.output
    -- OFFSET 0 keeps the planner from reading the job's whole history in chronological order.
    from (select * from run_history h where h.id = a.id or h.earlier_ids @> array[a.id] offset 0) h
    where h.job = a.job and h.key = a.key
    order by h.created_at desc
    limit 1)
    union all
    -- This query finds ended runs that had a failed attempt and whose job stores no history.
    (select t.run_id, 'ended', null, null, null, null
    from failed_attempt t
    where t.run_id = a.id and t.job = a.job and t.key = a.key
    limit 1)
    union all
    -- This query finds calls that have not been dispatched yet. It is the last query, because it reads the event log.
    select p.run_id, case when p.run_at > domain_now() then 'sleeping' else 'waiting' end, 0,
      case when p.run_at > domain_now() then p.run_at end, null, null
    from pending p
    where p.run_id = a.id and p.topic = 'enqueue/' || a.job and p.key = a.key
    limit 1) f on true
  order by a.number;
end $$
