-- Groups by id or by name. $1 id or name. Rows: id. Locks: none. It reads all groups, which is acceptable for a manual
-- query.
select id::text from groups where id = $1::text or name = $1::text order by id
