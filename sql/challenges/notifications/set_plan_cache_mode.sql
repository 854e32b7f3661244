-- Makes the server plan the following statements with their values, or choose the plans itself again. $1 which (true:
-- with their values). A plan of tell_ranks from before the first notification reads all notifications for each change,
-- 9 s for 500 boards, and a session keeps its plans. Rows: one. Locks: none. It lasts until the end of the transaction.
select set_config('plan_cache_mode', case when $1 then 'force_custom_plan' else 'auto' end, true)
