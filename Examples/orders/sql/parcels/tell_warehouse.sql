-- Puts parcels on the warehouse's list. $1 ids of the parcels. Rows: none. Locks: the new rows. Index: parcel_pkey.
insert into picking (parcel)
select id
from parcel
where id = any ($1::bigint[]) and recalled_at is null
on conflict (parcel) do nothing
