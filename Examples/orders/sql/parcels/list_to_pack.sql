-- Lists the parcels to pack. $1 maximum number of rows. Rows: id, product, address; oldest first. Locks: none. Index:
-- parcel_pkey.
select parcel, product, address
from to_pack
order by told_at, parcel
limit $1
