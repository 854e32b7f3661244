-- Domain time. Rows: one. Locks: none.
select domain_now()
