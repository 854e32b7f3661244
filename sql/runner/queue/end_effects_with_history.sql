-- Completes many runs of effect jobs that store history or read all payloads, like end_effects. $1: the ctids of the
-- runs. $2: the id of each run. $3: the token of each run. $4: the durations of the attempts in ms. $5: the outputs as
-- JSON or null. $6: true for each run whose history is stored. If an output cannot be stored, the statement fails as a
-- whole, and the caller completes each run separately. The statement repeats the code of record_history, to avoid one
-- function call for each run. Rows: the id and the token of each completed run. Locks: the runs, their payloads, and
-- the day's history partition (to block TRUNCATE). Indexes: run_payload_taken_by, worker_pkey.
with ended as (
  delete from run r
  using unnest($1, $2, $3, $4, $5, $6) c (place, id, token, took_ms, output, keeps_history)
  where r.ctid = c.place and r.id = c.id and r.token = c.token and (r.state = 'running') is true
  returning r.*, c.took_ms, c.output, c.keeps_history
),
payloads as (
  delete from run_payload where taken_by = any (array(select id from ended))
),
moment as materialized (
  select clock_timestamp() as at
),
noted as (
  insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at, duration_ms,
    report, output, worker, made_at, last_event_at, earlier_ids)
  select day_partition(at), at, id, job, key, attempt, 'done', at - took_ms * interval '1 millisecond', took_ms,
    '{}', output::jsonb, (select w.name from worker w where w.id = e.worker),
    least(first_event_at, asked_at), last_event_at, earlier_ids
  from ended e, moment
  where keeps_history
),
-- PostgreSQL executes a SELECT in WITH only if another query in the statement reads its rows.
woken as materialized (
  select wake_observers_of('run/' || job, array_agg(key)) from ended where keeps_history group by job
)
select id, token from ended, (select count(*) from woken) w
