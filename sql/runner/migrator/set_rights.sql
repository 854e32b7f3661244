-- Executes the statements that list_rights has returned in the same transaction. Rows: none. Locks: the functions and
-- the schema, so that no other session changes their privileges. If another session changes the same privileges at the
-- same time, the statement fails with `tuple concurrently updated`.
do $$
declare
  statement text;
begin
  for statement in select pg_catalog.jsonb_array_elements_text(pg_catalog.current_setting('baton.rights')::jsonb) loop
    execute statement;
  end loop;
end $$
