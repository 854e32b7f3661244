-- Stores the reminders of unpaid invoices that were due seven days ago, at most one for each due date. $1 ids of the
-- invoices. Rows: the tenant, the customer and the id of each invoice. Locks: the new rows. Index: invoice_pkey.
with sent as (
  insert into reminder (invoice, due_at)
  select id, due_at
  from invoice
  where id = any ($1::bigint[]) and paid_at is null and due_at + interval '7 days' <= domain_now()
  on conflict (invoice, due_at) do nothing
  returning invoice
)
select i.tenant, i.customer, i.id
from sent s
join invoice i on i.id = s.invoice
