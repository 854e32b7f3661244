-- Lists what is to be packed. $1 the most rows. Rows: id, product, address; oldest first. Locks: none.
-- Index: parcel_pkey.
select parcel, product, address
from to_pack
order by told_at, parcel
limit $1
