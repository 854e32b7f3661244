-- Dispatches the events that advance_position has chosen, and creates or updates one ready run for each job and key.
-- Events of send_event are stored, and the runs that wait for them become due. The pass that counts the events also
-- detects events of send_event, which takes 0.04 µs for each event (a separate pass: 0.2 µs). Without events of
-- send_event, the statement does not read the events again, and reads neither `event_wait` nor `sent_event`. $1: true
-- to make new runs due now, without a debounce. The values of a key's newest call (highest event number) take
-- precedence. Rows: one row with the number of events, the number of runs, and the names of the jobs (one per line).
-- Locks: the ready runs of the events' keys, and the runs that become due. The caller must have locked event_cursor.
-- Indexes: event_N_xact, event_N_pkey, run_pkey, run_held, held_group_key, event_wait_key, sent_event_key.
with fresh as materialized (
  select topic, key, payload, recorded_at, id, run_id, run_at, replaces, priority, origin, trace
  from folding_event
),
-- The decision uses the events themselves, not the stored waits: an event must be stored even if no run waits for it,
-- because a wait that commits later must find the event.
counted as materialized (
  select count(*) as events, count(*) filter (where topic >= 'wait/' and topic < 'wait0') > 0 as has_awaited from fresh
),
-- The CTE `bound` contains the time of the previous dispatch. No run gets an earlier due time, because polls may
-- already have passed earlier places (fragment front). If the server's clock was set back, the stored time is in the
-- future and does not delay runs.
bound as materialized (
  select case when dispatched_at > statement_timestamp() then statement_timestamp() else dispatched_at end as at from event_position
  -- Without this condition on the position, a dispatch without events would search all removed positions for a second
  -- position.
  where (select set_by from event_position order by id desc limit 1) = pg_current_xact_id_if_assigned()
  order by id desc limit 1 offset 1
),
-- The CTE `awaited` contains sent events, and the beginnings of waits, which have the id of the waiting run.
awaited as materialized (
  select substr(topic, length('wait/') + 1) as topic, key, payload, id, run_id from fresh
  where (select has_awaited from counted) and topic >= 'wait/' and topic < 'wait0'
),
sent as (
  insert into sent_event (topic, key, payload)
  select topic, key, payload from awaited where run_id is null order by id
),
-- The CTE `answered` contains the waiting runs whose event is in this dispatch, or was dispatched between the attempt's
-- search for the event and the beginning of the wait. OFFSET 0 forces a search for each event.
answered as materialized (
  select w.job, w.run_key, w.run_id, w.attempt
  from awaited a, lateral (
    select * from event_wait w
    where w.topic = a.topic and w.event_key = a.key and w.attempt is not null
      and (a.run_id is null or w.run_id = a.run_id and exists (
        select from sent_event e where e.topic = w.topic and e.key = w.event_key and e.number > w.seen))
    offset 0) w
),
woken as (
  -- The column backoff_until contains the timeout of the wait. If backoff_until kept the timeout, a worker with
  -- --until-idle would count the due run as a waiting run, and would stop.
  update run set due = greatest(now(), (select at from bound)), backoff_until = null
  where worker is null and due > now() and ctid = any (array(
    select r.place
    from (select distinct job, run_key, run_id, attempt from answered) a, lateral (
      select r.ctid as place from run r
      where r.job = a.job and r.key = a.run_key and r.state = 'running' and r.id = a.run_id
        and r.attempt = a.attempt and r.worker is null
      offset 0) r))
  returning job
),
wake as (
  select t.topic, name, quiet, at_most, every, keeps_payloads, joins_changes, priority
  from job, unnest(topics) t (topic)
  -- If a job was retired after a call was accepted, the call still becomes a run.
  where retired_at is null
  union all
  select 'enqueue/' || name, name, quiet, at_most, every, keeps_payloads, joins_changes, priority from job
),
-- The CTE `replacing` contains each key's newest call with `replace`, and is usually empty.
replacing as materialized (
  select substr(topic, length('enqueue/') + 1) as job, key, max(id) as id
  from fresh
  where replaces
  group by topic, key
),
-- The CTE `brought` contains each key's newest payload. The run gets the id of the call with that payload.
brought as materialized (
  select distinct on (w.name, f.key) w.name as job, f.key, f.payload, f.run_id, f.id
  from fresh f
  join wake w using (topic)
  where f.payload is not null or f.replaces
  order by w.name, f.key, f.id desc
),
-- The CTE `began` contains each key's first change that no later call replaces. If no job merges changes, no event is
-- read.
began as materialized (
  select distinct on (w.name, f.key) w.name as job, f.key, f.payload
  from fresh f
  join wake w using (topic)
  left join replacing r on r.job = w.name and r.key = f.key
  where (select count(*) filter (where joins_changes) > 0 from job)
    and w.joins_changes and f.payload is not null and f.id >= coalesce(r.id, 0)
  order by w.name, f.key, f.id
),
-- The CTE `traced` contains the trace contexts of each key's events, oldest first, excluding the replaced events.
traced as materialized (
  select w.name as job, f.key, left(string_agg(f.trace, ' ' order by f.id), 447) as trace
  from fresh f
  join wake w using (topic)
  left join replacing r on r.job = w.name and r.key = f.key
  where f.trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' and f.id >= coalesce(r.id, 0)
  group by 1, 2
),
-- The CTE `timed` contains the calls of keys with a time or a priority. A call with `replace` that is dispatched late
-- replaces only some of the calls.
timed as materialized (
  select w.name as job, f.key,
    merge_calls(array_agg(row(f.id, f.recorded_at, f.run_at, coalesce(f.priority, w.priority))::run_call), max(r.id))
      as calls
  from fresh f
  join wake w using (topic)
  left join replacing r on r.job = w.name and r.key = f.key
  where (w.name, f.key) in (
    select c.name, t.key from fresh t join wake c using (topic)
    where t.run_at is not null or t.priority is not null)
  group by 1, 2
  having count(*) > 1
),
folded as (
  select w.name as job, f.key, w.quiet, w.at_most, w.every,
    min(f.recorded_at) filter (where f.run_at is null and stands) as first_event_at,
    max(f.recorded_at) filter (where f.run_at is null and stands) as last_event_at,
    min(f.run_at) filter (where stands) as run_at,
    min(f.recorded_at) filter (where f.run_at is not null and stands) as asked_at,
    max(f.id) as newest_event,
    max(f.id) filter (where f.replaces) as replaced_by,
    min(coalesce(f.priority, w.priority)) filter (where stands) as priority,
    -- The minimum is the shortest chain, because an origin begins with the chain's length. The origin of an event is
    -- empty if no job caused the event.
    min(coalesce(f.origin, '')) filter (where stands) as origin,
    array_agg(f.run_id) filter (where f.run_id is not null) as ids
  from fresh f
  join wake w using (topic)
  left join replacing r on r.job = w.name and r.key = f.key,
  lateral (select f.id >= coalesce(r.id, 0) as stands) s
  group by 1, 2, 3, 4, 5
),
named as (
  select f.*, b.id as payload_event, case when c.job is null then b.payload
      else later_payload(c.job, c.payload, b.payload) end as payload,
    coalesce(case when b.job is null then f.ids[cardinality(f.ids)] else b.run_id end,
      nextval('run_id_seq')) as run_id,
    case when l.job is not null then
      group_of(l.group_field, l.group_separator, l.group_part, f.key, b.payload) end as group_key,
    l.group_concurrency is not null or l.group_interval is not null as is_grouped,
    t.trace, a.calls,
    -- If the job is throttled, the key's next run must not start before the instant free_at.
    case when f.every is not null then (
      select r.free_at from recent_run r where r.job = f.job and r.key = f.key
      order by r.free_at desc limit 1) end as free_at
  from folded f
  left join brought b using (job, key)
  left join began c using (job, key)
  left join traced t using (job, key)
  left join timed a using (job, key)
  left join job_limit l on l.job = f.job
),
-- The CTE `crowded` contains groups whose new runs are held. If a group already has held runs, new runs of the group are
-- claimed after these runs. If a fold creates more than 100 runs of a group, these runs are held, so that they do not delay
-- the runs of other groups.
crowded as (
  select n.job, n.group_key from named n where n.is_grouped group by n.job, n.group_key
  having count(*) > 100
    or exists (select from run h where h.is_held and h.job = n.job and h.group_key = n.group_key)
),
made as (
  insert into run as r (id, job, key, state, due, first_event_at, last_event_at, run_at, asked_at,
    payload, earlier_ids, priority, group_key, is_held, origin, trace, newest_event, payload_event, replaced_by, calls)
  select run_id, job, key, 'ready',
    greatest((select at from bound), least(server_time(run_at),
      case when first_event_at is null then null
        when $1 then now()
        when every is not null then least(greatest(now(), free_at), now() + every)
        -- A run without a debounce is due now, even if the event was recorded after this transaction began. The next
        -- poll in this transaction uses the same now().
        else least(last_event_at + quiet, first_event_at + at_most, case when quiet = '0' then now() end) end)),
    first_event_at, last_event_at, run_at, asked_at, payload,
    -- The column earlier_ids is empty if callers received only the run's own id, and null if callers received no id.
    array_remove(ids, run_id), priority, group_key,
    is_grouped and (n.job, n.group_key) in (select c.job, c.group_key from crowded c),
    nullif(origin, ''), trace, newest_event, payload_event, replaced_by, calls
  from named n
  order by job, key
  on conflict (job, key, state) do update
  set
  -- include: merge_run
    earlier_ids = case
      when excluded.earlier_ids is null and (excluded.payload_event > coalesce(r.payload_event, 0)) is not true
        then r.earlier_ids
      else newest_ids(r.earlier_ids || excluded.earlier_ids
        || case when excluded.payload_event > coalesce(r.payload_event, 0) then r.id else excluded.id end) end,
    -- An event does not shorten a backoff, so a run that always crashes eventually becomes dead. A run is never moved
    -- to a due time before the previous dispatch.
    due = greatest(r.backoff_until,
      case when excluded.id >= r.id and excluded.priority >= r.priority
          and coalesce(r.replaced_by, excluded.replaced_by) is null
        then least(r.due, (select at from bound)) else (select at from bound) end,
      case
        when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.due
        when r.replaced_by > coalesce(excluded.newest_event, 0) then r.due
        when coalesce(r.replaced_by, excluded.replaced_by) is not null then (
          select case when j.every is not null or $1 and w.first_event_at is not null then least(r.due, excluded.due)
            else least(server_time(w.run_at), w.last_event_at + j.quiet, w.first_event_at + j.at_most) end
          from job j, merge_waits(r, excluded) w where j.name = r.job)
        when excluded.first_event_at is null then least(r.due, excluded.due)
        else (
          select case when j.every is not null then least(r.due, excluded.due)
            else least(server_time(least(r.run_at, excluded.run_at)),
              greatest(r.last_event_at, excluded.last_event_at) + j.quiet,
              least(r.first_event_at, excluded.first_event_at) + j.at_most) end
          from job j where j.name = r.job) end)
  returning job, key, due, first_event_at, earlier_ids, replaced_by, group_key, is_held
),
-- The CTE `turn` adds turns for groups with new held runs, if the job has a rate for each group. If the group already
-- has an earlier turn, no turn is added. A turn that may be due before this transaction commits does not count.
turn as (
  insert into held_group (job, group_key, due)
  select m.job, m.group_key, n.due
  from (
    select job, group_key, min(due) as due from made
    where is_held and (select count(group_interval) > 0 from job_limit)
    group by job, group_key) m
  join job_limit l on l.job = m.job,
  lateral (
    select greatest(m.due, (
      select s.rested_at from limit_start s where s.job = m.job and s.group_key = m.group_key and s.rested_at > now()
      order by s.rested_at desc limit 1) - (l.group_burst - 1) * l.group_interval) as due) n
  where l.group_interval is not null
    and (
      select true from held_group h
      where h.job = m.job and h.group_key = m.group_key and h.due > now() + interval '1 second' and h.due <= n.due
      limit 1) is null
),
remembered as (
  insert into recent_run (job, key, free_at)
  select m.job, m.key, m.due + j.every
  from made m
  join job j on j.name = m.job
  -- The condition with count(every) is evaluated only once. If no job is throttled, `made` is not read.
  where (select count(every) > 0 from job)
    and j.every is not null and not $1 and m.first_event_at is not null and m.due + j.every > now()
  order by m.job, m.key
  on conflict do nothing
),
collected as (
  insert into run_payload (id, job, key, payload)
  select f.id, w.name, f.key, f.payload
  from fresh f
  join wake w using (topic)
  join made m on m.job = w.name and m.key = f.key
  where (select count(*) filter (where keeps_payloads) > 0 from job)
    and w.keeps_payloads and f.payload is not null and f.id >= coalesce(m.replaced_by, 0)
  order by f.id
),
-- Because of the join with `made`, a run that another transaction is claiming does not lose its payloads.
dropped as (
  delete from run_payload p
  using made m
  where (select count(*) filter (where keeps_payloads) > 0 from job)
    and m.replaced_by is not null and p.job = m.job and p.key = m.key and p.id < m.replaced_by
    and (p.taken_by is null or p.taken_by = any (m.earlier_ids))
),
-- The CTE `called` adds new priorities to the priorities that claims must search.
called as (
  update job j
  set priorities = (select array_agg(distinct p order by p) from unnest(j.priorities || n.priorities) p)
  from (
    select w.name, array_agg(f.priority) as priorities from fresh f join wake w using (topic)
    where f.priority is not null
    group by 1) n
  where j.name = n.name and not n.priorities <@ j.priorities
),
forgotten as (
  delete from event_position
  where id = (
    select p.id from event_position p
    where (select set_by from event_position order by id desc limit 1) = pg_current_xact_id_if_assigned()
    order by p.id desc limit 1 offset 1)
)
select (select events from counted), (select count(*) from made) + (select count(*) from woken),
  array_to_string(array(select job from made union select job from woken), e'\n')
