-- Locks due schedules of the given jobs, and decides which occurrences fire, with the due_firings function. $1: the
-- jobs that the caller knows. $2 and $3: the jobs and the due times at which the search starts, as returned by an
-- earlier poll. $4: a limit for the total cost of the schedules (function due_firings). The last schedule may exceed
-- the limit. Rows: job, name, whether the schedule is an interval, policy, key, the occurrences that run, the
-- occurrences that are skipped, next occurrence, domain time, place among the job's due schedules, cost. Occurrences
-- are seconds since 1970, separated by spaces. Locks: the schedules' rows, SKIP LOCKED. Index: schedule_due.
select job_name, schedule_name, is_interval, policy, run_key,
  array_to_string(array(select extract(epoch from o)::bigint from unnest(fired) o), ' '),
  array_to_string(array(select extract(epoch from o)::bigint from unnest(skipped) o), ' '),
  following, domain_now(), number, cost
from due_firings($1::text[], $2::text[], $3::timestamptz[], $4)
