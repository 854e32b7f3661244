-- Takes one ready or dead run out, with the payloads that it would have had; a running one is not touched.
-- $1 its id.
-- Rows: one: whether it was taken out, its state (null: there is no such run).
-- Locks: that run, after whoever claims it.
with ready as (
  delete from run where id = $1 and state = 'ready' returning job, key
),
dead as (
  delete from dead_run where id = $1 returning id
),
payloads as (
  delete from run_payload p
  where taken_by in (select id from dead)
    or (job, key, id) in (select f.job, f.key, f.id from free_payload f join ready using (job, key))
)
select exists (select from ready) or exists (select from dead),
  coalesce((select state::text from run where id = $1),
    (select 'dead' from dead_run where id = $1))
