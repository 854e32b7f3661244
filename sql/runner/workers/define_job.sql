-- Registers a job's definition, or changes it; nothing is written where it is the same.
-- $1 name, $2 topics, $3 quiet and $4 at most in milliseconds, $5 whether it keeps history, $6 whether each
-- run needs a key, $7 whether it asks for all payloads, $8 its priority, added to those that its runs have, $9 the
-- interval of a leading edge in milliseconds or null, $10 whether its payloads are changes that join.
-- Every job has the topic of its tables, whether it declares any: an older program that starts beside a newer
-- one does not let the newer one's events be passed over.
-- Rows: 1; none where nothing changes. Locks: the job's row.
insert into job as j (name, topics, quiet, at_most, keeps_history, needs_key,
  keeps_payloads, priority, priorities, every, joins_changes)
select $1, $2 || ('table/' || $1), $3 * interval '1 millisecond', $4 * interval '1 millisecond', $5, $6,
  $7, $8::integer, array[$8::integer], $9 * interval '1 millisecond', $10
on conflict (name) do update
set topics = excluded.topics, quiet = excluded.quiet, at_most = excluded.at_most,
  keeps_history = excluded.keeps_history, needs_key = excluded.needs_key,
  keeps_payloads = excluded.keeps_payloads, priority = excluded.priority,
  priorities = case when excluded.priority = any (j.priorities) then j.priorities
    else j.priorities || excluded.priority end,
  every = excluded.every, joins_changes = excluded.joins_changes
where (j.topics, j.quiet, j.at_most, j.keeps_history, j.needs_key, j.keeps_payloads, j.priority, j.every,
    j.joins_changes)
  is distinct from
  (excluded.topics, excluded.quiet, excluded.at_most, excluded.keeps_history,
    excluded.needs_key, excluded.keeps_payloads, excluded.priority, excluded.every,
    excluded.joins_changes)
