-- Enqueues runs of one job. $1 job, $2 keys, $3 payloads as JSON, $4 when in domain time, $5 priorities, $6 whether
-- each replaces earlier calls; each array may contain nulls. Rows: their ids, in the order given. Locks: none. Errors:
-- those of enqueue.
select enqueue_many($1, coalesce(jsonb_agg(jsonb_build_object(
    'key', key, 'payload', payload::jsonb, 'run_at', run_at, 'priority', priority,
    'replace', replaces) order by number), '[]'))
from unnest($2::text[], $3::text[], $4::timestamptz[], $5::integer[], $6::boolean[]) with ordinality
  as given (key, payload, run_at, priority, replaces, number)
