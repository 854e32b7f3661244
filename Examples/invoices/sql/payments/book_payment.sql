-- Books a payment and its invoice, unless the payment is already booked. $1 id of the payment. Rows: none. Locks: both
-- rows. Index: payment_pkey, invoice_pkey.
with booked as (
  update payment
  set paid_at = domain_now()
  where id = $1 and paid_at is null
  returning invoice
)
update invoice i
set paid_at = domain_now()
from booked b
where i.id = b.invoice and i.paid_at is null
