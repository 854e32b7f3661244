-- Creates or updates the definition of a job. $1: the name. $2: the subscribed topics. $3: the debounce in ms. $4: the
-- maximum delay in ms. $5: true if history is stored. $6: true if a key is required. $7: true if runs read all
-- payloads. $8: the priority. $9: the throttle interval in ms, or null. $10: true if payloads are changes to rows. $11:
-- the program, or null for no change. $12: the job's kind. $13: the batch size. $14: the timeout in ms. $15: the
-- maximum number of attempts. $16: the initial backoff in ms. $17: the maximum backoff in ms. $18: the number of
-- concurrent effects, or null. $19: the role kind, or null. $20: the table descriptions. Rows: 1 affected row, or 0 if
-- nothing changes. Locks: the job's row. The topic of a job's tables is always stored, even if the job declares no
-- tables.
insert into job as j (name, topics, quiet, at_most, keeps_history, needs_key, keeps_payloads, priority, priorities,
  every, joins_changes, program, kind, batch, timeout, attempts, first_wait, longest_wait, effect_concurrency, role,
  tables)
select $1, $2 || ('table/' || $1), $3 * interval '1 millisecond', $4 * interval '1 millisecond', $5, $6,
  $7, $8::integer, array[$8::integer], $9 * interval '1 millisecond', $10, $11, $12, $13::integer,
  $14::bigint * interval '1 millisecond', $15::integer, $16::bigint * interval '1 millisecond',
  $17::bigint * interval '1 millisecond', $18::integer, $19, $20
on conflict (name) do update
set topics = excluded.topics, quiet = excluded.quiet, at_most = excluded.at_most,
  keeps_history = excluded.keeps_history, needs_key = excluded.needs_key,
  keeps_payloads = excluded.keeps_payloads, priority = excluded.priority,
  priorities = case when excluded.priority = any (j.priorities) then j.priorities
    else j.priorities || excluded.priority end,
  every = excluded.every, joins_changes = excluded.joins_changes,
  program = coalesce(excluded.program, j.program), kind = excluded.kind, batch = excluded.batch,
  timeout = excluded.timeout, attempts = excluded.attempts, first_wait = excluded.first_wait,
  longest_wait = excluded.longest_wait, effect_concurrency = excluded.effect_concurrency, role = excluded.role,
  tables = excluded.tables
where (j.topics, j.quiet, j.at_most, j.keeps_history, j.needs_key, j.keeps_payloads, j.priority, j.every,
    j.joins_changes, j.program, j.kind, j.batch, j.timeout, j.attempts, j.first_wait, j.longest_wait,
    j.effect_concurrency, j.role, j.tables)
  is distinct from
  (excluded.topics, excluded.quiet, excluded.at_most, excluded.keeps_history, excluded.needs_key,
    excluded.keeps_payloads, excluded.priority, excluded.every, excluded.joins_changes,
    coalesce(excluded.program, j.program), excluded.kind, excluded.batch, excluded.timeout, excluded.attempts,
    excluded.first_wait, excluded.longest_wait, excluded.effect_concurrency, excluded.role, excluded.tables)
