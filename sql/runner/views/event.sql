-- Contains the events of all three segments of the event log.
create or replace view event with (security_invoker = true) as
select 0 as segment, * from event_0
union all
select 1, * from event_1
union all
select 2, * from event_2
