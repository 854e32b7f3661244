-- Sets whether the server plans later statements in the transaction with their parameter values. $1: true to plan with
-- the parameter values (custom plans), or false for the default mode. A session caches the plans of its statements.
-- With a plan from before the first notification, tell_ranks would read all notifications for each change (9 s for 500
-- boards). Rows: one row. Locks: none.
select set_config('plan_cache_mode', case when $1 then 'force_custom_plan' else 'auto' end, true)
