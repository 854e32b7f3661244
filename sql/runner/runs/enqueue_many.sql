-- Enqueues several runs of a job. $1: the job's name. $2: the run keys. $3: the payloads as JSON. $4: the times in
-- domain time. $5: the priorities. $6: true if each call replaces earlier calls. Elements of the arrays may be null.
-- Rows: the ids of the runs, in array order. Locks: none. Errors: the same as in enqueue.
select enqueue_many($1, coalesce(jsonb_agg(jsonb_build_object(
    'key', key, 'payload', payload::jsonb, 'run_at', run_at, 'priority', priority,
    'replace', replaces) order by number), '[]'))
from unnest($2::text[], $3::text[], $4::timestamptz[], $5::integer[], $6::boolean[]) with ordinality
  as given (key, payload, run_at, priority, replaces, number)
