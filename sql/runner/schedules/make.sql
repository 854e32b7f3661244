-- Creates or replaces a schedule at run time. $1: the job's name. $2: the schedule's name. $3: the cron expression or
-- null. $4: the interval in microseconds or null. $5: the time zone or null. $6: the payload as JSON or null. $7: the
-- key or null. $8: the policy for missed occurrences. $9: the end or null. Rows: one empty row. Locks: the schedule's
-- row. Errors: ZB005, ZB006, ZB007, ZB016, ZB017, ZB018, 22P02 (invalid JSON).
select schedule($1, $2, $3, $4::bigint * interval '1 microsecond', $5, $6::text::jsonb, $7, $8, $9)
