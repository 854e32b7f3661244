-- Adds a committed step to the run's progress, in the step's transaction. $1: the run's id. $2: the duration in ms
-- since the previous committed step, or since the attempt started. $3: the step's JSON report. Rows: 1 affected row.
-- Locks: the row in run_progress. Only the run's worker writes to the row in run_progress. Index: run_progress_pkey.
insert into run_progress as p (run_id, started_at, duration_ms, report)
values ($1, clock_timestamp() - $2::bigint * interval '1 millisecond', $2, $3::text::jsonb)
on conflict (run_id) do update
set duration_ms = p.duration_ms + excluded.duration_ms, report = add_reports(p.report, excluded.report),
  written_at = excluded.written_at
