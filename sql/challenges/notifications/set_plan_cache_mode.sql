-- Makes the server plan the following statements of the transaction with their values. $1: true to plan with values, or
-- false to restore the default. A session caches plans. If a plan of tell_ranks was cached before the first
-- notification, it reads all notifications for each change, which took 9 s for 500 boards. Rows: one row. Locks: none.
select set_config('plan_cache_mode', case when $1 then 'force_custom_plan' else 'auto' end, true)
