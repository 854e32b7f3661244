-- Takes one ready or dead run out; a running one is not touched. $1 its id.
-- Rows: one: whether it was taken out, its state (null: there is no such run).
-- Locks: that run, after whoever claims it.
with ready as (
  delete from run where id = $1 and state = 'ready' returning 1
),
dead as (
  delete from dead_run where id = $1 returning 1
)
select exists (select from ready) or exists (select from dead),
  coalesce((select state::text from run where id = $1),
    (select 'dead' from dead_run where id = $1))
