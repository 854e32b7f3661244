-- Reads the stored definitions of jobs. $1: a job's name, or null for all jobs. Rows: one row for each job. The first
-- columns are name, topics (excluding the topic of tables), debounce, maximum delay and throttle interval in ms. The
-- next columns are whether history is stored, whether a key is required, priority, time of the pause. Further columns
-- are the concurrency of the job and of a group, definition of a group. The next columns are, for the job and then for
-- a group, microseconds between starts and burst. Further columns are time of the last run, numbers of completed runs
-- and batches. Columns from the program (may be null): program, kind, batch size, timeout in ms, attempts, initial and
-- maximum backoff in ms, effects per worker, role kind, table descriptions. The last columns are retirement time and
-- later names of a renamed job. Lists have one element per line. Locks: none. Index: job_pkey.
select j.name, array_to_string(array_remove(j.topics, 'table/' || j.name), e'\n'), (extract(epoch from j.quiet) * 1000)::bigint,
  (extract(epoch from j.at_most) * 1000)::bigint, (extract(epoch from j.every) * 1000)::bigint, j.keeps_history,
  j.needs_key, j.priority::integer, j.paused_at, l.concurrency, l.group_concurrency,
  coalesce(l.group_field, 'part ' || l.group_part || ' of the key between ' || quote_literal(l.group_separator)),
  (extract(epoch from l.start_interval) * 1000000)::bigint, l.burst,
  (extract(epoch from l.group_interval) * 1000000)::bigint, l.group_burst, a.last_ran_at, coalesce(a.runs, 0),
  coalesce(a.batches, 0), j.program, j.kind, j.batch, (extract(epoch from j.timeout) * 1000)::bigint, j.attempts,
  (extract(epoch from j.first_wait) * 1000)::bigint, (extract(epoch from j.longest_wait) * 1000)::bigint,
  j.effect_concurrency, j.role, array_to_string(j.tables, e'\n'), j.retired_at,
  array_to_string(array(select name from job_alias where job = j.name order by name), e'\n')
from job j
left join job_limit l on l.job = j.name
left join job_activity a on a.job = j.name
where $1::text is null or j.name = $1
order by j.name
