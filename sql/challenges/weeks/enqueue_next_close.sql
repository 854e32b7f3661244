-- Enqueues a run of close-week for the time when the first reopened week must be closed again. No cron schedule fires
-- at this time. Calls with the same key are merged, and the earliest time counts. Each run executes this statement at
-- its end, so the other reopened weeks are closed in turn. Rows: the id of the run, or no row if no week is reopened.
-- Locks: the new row of the event log. Index: challenge_reopened.
select enqueue('close-week', 'scheduled', run_at => c.reopened_until)
from challenge c
where c.state = 'open' and c.reopened_until > domain_now()
order by c.reopened_until
limit 1
