-- Sends an event to the runs that wait for it, now or later. $1: the topic. $2: the key. $3: the payload as JSON or
-- null. Rows: one empty row. Locks: none. Errors: ZB006 (invalid topic or key), ZB007 (payload too large), 22P02
-- (invalid JSON).
select send_event($1, $2, $3::text::jsonb)
