-- Finds groups by id or name. $1: the id or the name. Rows: the id of each group. Locks: none. The statement reads all
-- groups, which is acceptable for a manual query.
select id::text from groups where id = $1::text or name = $1::text order by id
