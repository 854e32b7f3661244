-- The Monday of the last week that is over with its grace, at an instant: boards of this week and of earlier weeks are
-- due. One row. LIMIT is for the planner, which assumes hundreds of rows for a table like `setting` that was never
-- analysed.
-- needs: in_seconds
create or replace view due_week with (security_invoker = true) as
select at, ((at - in_seconds(grace)) at time zone 'UTC')::date - 7 as last_week
from setting, (select domain_now() as at) moment
limit 1
