-- Contains one row with the Monday of the last week whose grace period has ended, and the time of the query. Boards of
-- the returned week and of earlier weeks are due. LIMIT helps the planner, which assumes hundreds of rows for a table
-- like `setting` that has never been analyzed.
-- needs: in_seconds
create or replace view due_week with (security_invoker = true) as
select at, ((at - in_seconds(grace)) at time zone 'UTC')::date - 7 as last_week
from setting, (select domain_now() as at) moment
limit 1
