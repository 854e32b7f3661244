-- Whether anything is left to do for anybody: what `--until-idle` and a replay ask.
-- Rows: one: unfolded events?, any run ready or running?, dead letters. Locks: none.
-- Indexes: event_N_xact, run_pkey.
with position as materialized (
  select snapshot from event_position order by id desc limit 1
)
select
  exists (
      select from event where xact >= (select pg_snapshot_xmax(snapshot) from position))
    or exists (
      select from event where xact = any (array(select pg_snapshot_xip(snapshot) from position))),
  exists (select from run),
  (select count(*) from dead_run)
