-- Whether any work is left, for a drain, a replay and `worker --until-idle`. $1 the jobs of a worker that stops when it
-- is idle: their runs count, except those of paused jobs and those that wait for their next attempt; null: any run of
-- any job counts. Rows: one: events that are not folded yet?, any such run ready, running or due later?, dead letters.
-- Locks: none. Indexes: event_N_xact, run_pkey.
select
  exists (select from unfolded_event),
  case
    when $1::text[] is null then exists (select from awaited_run)
    else exists (
      select from unnest($1::text[]) as asked (name)
      where exists (
          select from awaited_run
          where job = asked.name and (state = 'running' or backoff_until > now() is not true))
        and not exists (select from job where job.name = asked.name and paused_at is not null))
  end,
  (select count(*) from dead_run)
