-- Enqueues a run of a job. $1 job, $2 key or null, $3 payload as JSON or null, $4 when in domain time or null, $5
-- priority or null, $6 whether this call replaces earlier calls. Rows: one: the id. Locks: none. ZB005 unknown job,
-- ZB006 malformed key, ZB007 payload too large, ZB008 not an instant, ZB012 not a priority, 22P02 malformed JSON.
select enqueue($1, $2, $3::text::jsonb, $4, $5, $6)
