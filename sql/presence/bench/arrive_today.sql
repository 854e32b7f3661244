-- Lets somebody of each group of make_places have come today. Rows: none. Locks: the new rows.
-- Before the tables are declared: nobody is told.
insert into first_arrival (group_id, local_date, user_id, arrived_at)
select m.group_id, (domain_now() at time zone 'UTC')::date, min(m.user_id), domain_now()
from member m
group by m.group_id
