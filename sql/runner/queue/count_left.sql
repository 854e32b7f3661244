-- Whether anything is left to do: what `--until-idle` and a replay ask.
-- $1 the jobs whose runs are asked for, those aside that are paused; null: any run of any job.
-- Rows: one: unfolded events?, any such run ready or running, or due later by a debounce or backoff?, dead letters. Locks: none.
-- Indexes: event_N_xact, run_pkey.
select
  exists (select from unfolded_event),
  case
    when $1::text[] is null then exists (select from awaited_run)
    else exists (
      select from unnest($1::text[]) as asked (name)
      where exists (select from awaited_run where job = asked.name)
        and not exists (select from job where job.name = asked.name and paused_at is not null))
  end,
  (select count(*) from dead_run)
