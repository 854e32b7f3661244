-- Enqueues the reminders of unpaid invoices for seven days after their due dates. A reminder that is already waiting
-- moves to the new time. $1 ids of the invoices. Rows: the ids of the runs. Locks: none. Index: invoice_pkey.
select enqueue('remind-customer', id::text, run_at => due_at + interval '7 days', replace => true)
from invoice
where id = any ($1::bigint[]) and paid_at is null
