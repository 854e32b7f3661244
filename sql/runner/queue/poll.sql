-- What there is to do, in one cheap read that the dispatcher repeats all the time. Rows: one: events not folded yet or
-- another cluster?, a dead or missing worker?, jobs with due runs that may start, each with the priority of its most
-- urgent run and how its runs are claimed, jobs with due runs that must be worked alone, ms to the next due run or
-- schedule (null: none; a minute at most), is a schedule due?, is any run cancelled?. Locks: none. Indexes:
-- event_N_xact, run_ready, run_held, run_limited, cancellation_pkey. A plan made on an empty queue must also be good
-- for a full one: OFFSET 0 keeps each search separate, in the order of run_ready.
select
  exists (select from unfolded_event)
    or not exists (select from own_position),
  exists (select from dead_worker) or exists (select from missing_worker),
  array_to_string(array(
    select name || ' ' || coalesce(urgent.priority, job.priority) || ' '
      -- claim_order cannot be inlined, and its call costs more than all other checks of a job.
      || case when is_limited or is_holding or cardinality(priorities) > 1 then claim_order(name)
        else 'plain' end
    from job, lateral (
      select min(p.priority) as priority
      from unnest(priorities) p (priority)
      where exists (select from run where job = name and state = 'ready' and not is_held and batch_limit = 0
        and run.priority = p.priority and due <= now() order by due offset 0)) urgent,
    lateral (
      select exists (select from job_limit l where l.job = name) as is_limited,
        exists (select from run where job = name and is_held) as is_holding) l
    where paused_at is null
      and (urgent.priority is not null
        or exists (select from run where job = name and state = 'ready' and not is_held
          and batch_limit > 0 and due <= now() order by batch_limit offset 0)
        -- The claim checks whether one of their groups has room.
        or is_holding)
      and (not is_limited or coalesce(claim_room(name), 1) > 0)), e'\n'),
  array_to_string(array(
    select name from job
    where paused_at is null
      and exists (select from run w
        where w.job = name and w.state = 'ready' and not w.is_held and w.batch_limit = -1
          and w.due <= now()
          and not exists (
            select from run b where b.job = w.job and b.key = w.key and b.state = 'running')
        order by w.priority offset 0)
    ), e'\n'),
  (select ceil(extract(epoch from min(least(next.due, now() + interval '1 minute')) - now())
      * 1000)::integer
   from (
     select due.due
     from job, lateral (
       (select min(of_priority.due) as due from unnest(priorities) p (priority), lateral (
          select due from run where job = name and state = 'ready' and not is_held and batch_limit = 0
            and run.priority = p.priority and due > now() order by due limit 1) of_priority)
       union all
       (select min(alone.due) from (
          select due from run where job = name and state = 'ready' and not is_held
            and batch_limit = -1 and due > now() order by priority offset 0) alone)
       union all
       (select min(split.due) from (
          select due from run where job = name and state = 'ready' and not is_held
            and batch_limit > 0 and due > now() order by batch_limit offset 0) split)) due
     where paused_at is null
     union all
     -- If a rate limit makes runs wait: the next start.
     select rested_at - (burst - 1) * start_interval from job_limit
     where rested_at - (burst - 1) * start_interval > now()
     union all
     -- If the clock is frozen, no worker waits for a schedule.
     select now() + (fires_at - domain_now()) from waiting_schedule
     where fires_at > domain_now()
       and not exists (select from development where clock is not null)) next
   -- LEAST ignores null, so without this condition the result would be a minute instead of null.
   where next.due is not null),
  -- A replay fires its schedules itself, each after the drain of a step. If a worker could fire them too,
  -- the result would depend on which of the two was faster.
  not exists (select from development where clock is not null)
    and exists (select from waiting_schedule where fires_at <= domain_now()),
  exists (select from cancellation)
