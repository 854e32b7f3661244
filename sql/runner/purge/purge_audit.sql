-- Removes the oldest day of the audit if it is more than 400 days ago. Rows: one: how many rows were removed. Locks:
-- the end of the chain, if there is such a day; those rows. Index: audit_pkey.
select purge_audit()
