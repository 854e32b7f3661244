-- Recalls some parcels of a product. $1 the product, $2 how many. Rows: none; the count is how many.
-- Locks: those parcels. Index: parcel_of_product.
update parcel
set recalled_at = domain_now()
where id = any (array(
  select id
  from parcel
  where product = $1 and recalled_at is null
  order by id
  limit $2))
