-- Checks whether a drain, a replay or `worker --until-idle` has work left. $1: the jobs of a worker with
-- `--until-idle`, or null for all runs of all jobs. If $1 is not null, runs of paused jobs and runs in backoff do not
-- count. Rows: one row with two booleans and the number of dead runs. The first boolean is true if any event is
-- undispatched, and the second is true if any run is left. Locks: none. Indexes: event_N_xact, run_pkey.
select
  -- During a backlog, the view unfolded_event could read all rows of a large transaction.
  (select base is not null or partial is not null from event_position order by id desc limit 1)
    or exists (select from unfolded_event),
  case
    when $1::text[] is null then exists (select from awaited_run)
    else exists (
      select from unnest($1::text[]) as asked (name)
      where exists (
          select from awaited_run a
          where a.job = asked.name and (a.worker is not null or a.backoff_until > now() is not true
            -- The next run of a key waits until the key's run with a checkpoint has ended.
            and not exists (select from run b
              where b.job = a.job and b.key = a.key and b.state = 'running' and a.state = 'ready'
                and b.worker is null and b.backoff_until > now())))
        and not exists (select from job where job.name = asked.name and paused_at is not null))
  end,
  (select count(*) from dead_run)
