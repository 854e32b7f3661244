-- Has what follows planned with its values, or as the server thinks best again. $1 whether.
-- A plan of tell_ranks that was made before the first notification reads all there are for each that
-- changes, 9 s for 500 boards, and a session keeps its plans. Rows: one. Locks: none.
-- Lasts until the end of the transaction.
select set_config('plan_cache_mode', case when $1 then 'force_custom_plan' else 'auto' end, true)
