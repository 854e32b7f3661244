-- Enqueues runs as members of an open batch. $1: the batch's name. $2 to $7: the parameters of enqueue_many. Rows: the
-- ids of the runs, in array order. Locks: see enqueue_batch.
select enqueue_batch($1, $2, coalesce(jsonb_agg(jsonb_build_object(
    'key', key, 'payload', payload::jsonb, 'run_at', run_at, 'priority', priority,
    'replace', replaces) order by number), '[]'))
from unnest($3::text[], $4::text[], $5::timestamptz[], $6::integer[], $7::boolean[]) with ordinality
  as given (key, payload, run_at, priority, replaces, number)
