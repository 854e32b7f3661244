-- Lists the next ten occurrences of a schedule. $1: the job's name. $2: the schedule's name. Rows: one row with the
-- domain time, and the occurrences (seconds since 1970, separated by spaces). If the server does not recognize the
-- schedule's time zone, the list is empty. Locks: none. Index: schedule_pkey.
select domain_now(), array_to_string(array(
  select extract(epoch from o)::bigint
  from schedule s,
    unnest(occurrences_between(s.expression, s.time_zone, domain_now(), coalesce(s.until, 'infinity'), 10)) o
  where s.job = $1 and s.name = $2 and is_time_zone(s.time_zone) is not false), ' ')
