-- Runs the statements that list_rights has returned in this transaction. Rows: none. Locks: those functions and the
-- schema against other grants: a grant that commits in between ends this with `tuple concurrently updated`.
do $$
declare
  statement text;
begin
  for statement in select jsonb_array_elements_text(current_setting('baton.rights')::jsonb) loop
    execute statement;
  end loop;
end $$
