-- Counts the parcels of the last seven complete days. Rows: none. Locks: the rows of those days. Index:
-- parcel_ordered_at.
insert into day_count (day, parcels)
select (ordered_at at time zone 'Europe/Berlin')::date as day, count(*)
from parcel
where ordered_at >= (date_trunc('day', domain_now() at time zone 'Europe/Berlin') - interval '7 days')
    at time zone 'Europe/Berlin'
  and ordered_at < date_trunc('day', domain_now() at time zone 'Europe/Berlin')
    at time zone 'Europe/Berlin'
group by day
on conflict (day) do update set parcels = excluded.parcels
