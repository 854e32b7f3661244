-- Recalls parcels of a product. $1 product, $2 maximum number. Rows: none; the row count is the number of recalled
-- parcels. Locks: those parcels. Index: parcel_of_product.
update parcel
set recalled_at = domain_now()
where id = any (array(
  select id
  from parcel
  where product = $1 and recalled_at is null
  order by id
  limit $2))
