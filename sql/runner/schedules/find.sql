-- Reads the key and some occurrences of one schedule. $1: the job's name. $2: the schedule's name. $3: the time after
-- which the search begins, or null for now. $4: the latest time of an occurrence, at most now, or null for no limit.
-- $5: the maximum number of occurrences. Rows: the key or null, and the occurrences up to the schedule's end (seconds
-- since 1970, separated by spaces). If the schedule does not exist, no rows are returned. Locks: none. Index:
-- schedule_pkey. Errors: 22023 if the server does not recognize the time zone.
select key, array_to_string(array(
    select extract(epoch from o)::bigint
    from unnest(occurrences_between(expression, time_zone, coalesce($3::timestamptz, domain_now()),
      -- LEAST ignores null.
      coalesce(least(until, $4::timestamptz, case when $4 is not null then domain_now() end), 'infinity'), $5)) o), ' ')
from schedule
where job = $1 and name = $2
