-- The stored definition of a job. $1 its name; null: each job. Rows: one per job: name, topics except that of its
-- tables, a line each, quiet, at most and every in ms (null: no leading edge), keeps history?, needs keys?, priority,
-- paused since, concurrency, concurrency of a group, what a group is, microseconds between two starts, burst, last ran,
-- runs and batches done. Then the values that a program stored, or null: program, kind, batch, timeout in ms, attempts,
-- first and longest wait in ms, effects at once, kind of the role, its tables in words, a line each. Locks: none.
-- Index: job_pkey.
select j.name, array_to_string(array_remove(j.topics, 'table/' || j.name), e'\n'), (extract(epoch from j.quiet) * 1000)::bigint,
  (extract(epoch from j.at_most) * 1000)::bigint, (extract(epoch from j.every) * 1000)::bigint, j.keeps_history,
  j.needs_key, j.priority::integer, j.paused_at, l.concurrency, l.group_concurrency,
  coalesce(l.group_field, 'part ' || l.group_part || ' of the key between ' || quote_literal(l.group_separator)),
  (extract(epoch from l.start_interval) * 1000000)::bigint, l.burst, a.last_ran_at, coalesce(a.runs, 0),
  coalesce(a.batches, 0), j.program, j.kind, j.batch, (extract(epoch from j.timeout) * 1000)::bigint, j.attempts,
  (extract(epoch from j.first_wait) * 1000)::bigint, (extract(epoch from j.longest_wait) * 1000)::bigint,
  j.effect_concurrency, j.role, array_to_string(j.tables, e'\n')
from job j
left join job_limit l on l.job = j.name
left join job_activity a on a.job = j.name
where $1::text is null or j.name = $1
order by j.name
