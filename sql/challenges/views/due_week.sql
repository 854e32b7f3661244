-- The last week, by its Monday, that is over with its grace, at an instant: boards of it and of the weeks
-- before are due. One row, which the planner cannot know of `setting`: it takes a table that was never
-- analysed for hundreds.
-- needs: in_seconds
create or replace view due_week with (security_invoker = true) as
select at, ((at - in_seconds(grace)) at time zone 'UTC')::date - 7 as last_week
from setting, (select domain_now() as at) moment
limit 1
