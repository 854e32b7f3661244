-- Creates today's first arrival for each group that make_places has created. The statement runs before the jobs'
-- triggers are created, so no notifications are sent. Rows: none. Locks: the new rows.
insert into first_arrival (group_id, local_date, user_id, arrived_at)
select m.group_id, (domain_now() at time zone 'UTC')::date, min(m.user_id), domain_now()
from member m
group by m.group_id
