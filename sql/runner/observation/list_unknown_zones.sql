-- Lists the time zones of stored schedules that the server does not recognize. Rows: the name of each unknown time
-- zone. Locks: none. Index: none, because the statement reads all schedules.
select time_zone
from (select distinct time_zone from schedule where time_zone is not null) z
where not is_time_zone(time_zone)
order by time_zone
