-- Returns a running run to the queue. If the key has a ready run, the two runs are merged. The merged run has the
-- higher attempt number and the smaller batch limit. The due time is the latest of three times: the end of the wait,
-- the end of the ready run's debounce, and the time of a call with `replace`. Rows: none, because the fragment is only
-- part of a statement. Locks: the row `r` of the ready run.
on conflict (job, key, state) do update
set
-- include: merge_run
  attempt = greatest(r.attempt, excluded.attempt),
  due = case
    when r.replaced_by > coalesce(excluded.newest_event, 0) or r.first_event_at is not null
      then greatest(r.due, excluded.due)
    else greatest(r.backoff_until, excluded.due) end,
  backoff_until = greatest(r.backoff_until, excluded.backoff_until),
  crashes = greatest(r.crashes, excluded.crashes),
  batch_limit = coalesce(least(nullif(r.batch_limit, 0), nullif(excluded.batch_limit, 0)), 0),
  is_held = false,
  last_error = coalesce(excluded.last_error, r.last_error),
  earlier_ids = newest_ids(
    -- include: merged_ids
    ),
  crashed_at = greatest(r.crashed_at, excluded.crashed_at)
