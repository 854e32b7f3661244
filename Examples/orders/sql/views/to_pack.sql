-- What the warehouse reads: what it was told of, without what was recalled since.
create or replace view to_pack with (security_invoker = true) as
select p.id as parcel, p.product, p.address, k.told_at
from picking k
join parcel p on p.id = k.parcel
where p.recalled_at is null
