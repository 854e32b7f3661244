-- Finds the first due run of each priority of the job `name`, starting at the places that earlier searches returned. $1
-- to $4: the jobs, priorities, due times and ids of these places. $5: the due time from which all other priorities are
-- searched. Rows: one row for each priority with a due run: priority, due time, id. Locks: none. Index: run_ready.
-- OFFSET 0 forces the planner to read the index in order.
    select p.priority, f.due, f.id
    from unnest(priorities) p (priority)
    left join unnest($1::text[], $2::integer[], $3::timestamptz[], $4::bigint[]) m (job, priority, due, id)
      on m.job = name and m.priority = p.priority,
    lateral (
      select due, id from run
      where job = name and worker is null and not is_held and batch_limit = 0 and run.priority = p.priority
        and (due, id) >= (coalesce(m.due, $5, '-infinity'), coalesce(m.id, 0)) and due <= now()
      order by due, id limit 1) f
