-- Registers a job's definition, or changes it; an equal one is not written. $1 name, $2 topics, $3 quiet and $4 at most
-- in ms, $5 keeps history?, $6 needs keys?, $7 keeps all payloads?, $8 priority, added to those of its runs, $9
-- interval of a leading edge in ms or null, $10 payloads are changes to be joined?, $11 program (null: unchanged), $12
-- kind, $13 batch, $14 timeout in ms, $15 attempts, $16 first and $17 longest wait in ms, $18 effects at once or null,
-- $19 kind of the role or null, $20 its tables in words. Each job has the topic of its tables, even if it declares
-- none: if an older program starts while a newer one runs, it must not let the newer program's events be skipped. Rows:
-- 1; none if nothing changes. Locks: the job's row.
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
