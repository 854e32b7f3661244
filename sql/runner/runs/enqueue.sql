-- Asks for a run of a job. $1 job, $2 key, $3 payload as JSON or null. Rows: one.
-- Locks: none. ZB005 unknown job, ZB006 malformed key, 22P02 malformed JSON.
select enqueue($1, $2, $3::text::jsonb)
