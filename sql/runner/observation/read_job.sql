-- What the schema knows of a job. $1 its name. Rows: one, none where there is no such job: topics, a line each, quiet, at
-- most and every in ms (null: no leading edge), keeps history?, needs keys?, priority, paused since, concurrency, of a
-- group, what a group is, microseconds between two starts, burst, last ran, runs and batches done. Locks: none. Index: job_pkey.
select array_to_string(j.topics, e'\n'), (extract(epoch from j.quiet) * 1000)::bigint,
  (extract(epoch from j.at_most) * 1000)::bigint, (extract(epoch from j.every) * 1000)::bigint, j.keeps_history,
  j.needs_key, j.priority::integer, j.paused_at, l.concurrency, l.group_concurrency,
  coalesce(l.group_field, 'part ' || l.group_part || ' of the key between ' || quote_literal(l.group_separator)),
  (extract(epoch from l.start_interval) * 1000000)::bigint, l.burst, a.last_ran_at, coalesce(a.runs, 0),
  coalesce(a.batches, 0)
from job j
left join job_limit l on l.job = j.name
left join job_activity a on a.job = j.name
where j.name = $1
