-- Enqueues a run of close-week for the time when the next open boards of an ended week must be closed: at the end of a
-- reopening, or at the end of the grace period. No cron schedule fires at the end of a reopening. A board that was
-- committed after the cron run of its week needs another run. Calls with the same key are merged, and the earliest time
-- counts. Each run executes this statement at its end, so all boards are closed in turn. Rows: the id of the run, or no
-- row if no board is due later. Locks: the new row of the event log. Indexes: challenge_reopened, challenge_open.
select enqueue('close-week', 'scheduled', run_at => next.at)
from (
  (select c.reopened_until as at
    from challenge c
    where c.state = 'open' and c.reopened_until > domain_now()
    order by c.reopened_until
    limit 1)
  union all
  (select c.ends_at + in_seconds((select grace from setting))
    from challenge c
    where c.state = 'open' and c.reopened_until is null
      and c.week_start > (select last_week from due_week)
      -- A transaction may create a board within a minute before the end of the week.
      and c.week_start <= (select ((at + interval '1 minute') at time zone 'UTC')::date - 7 from due_week)
    order by c.week_start, c.group_id
    limit 1)
) next
order by next.at
limit 1
