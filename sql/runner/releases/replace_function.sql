-- Creates the function that name_function has set. PostgreSQL cannot remove the default of a parameter or change the
-- type of a result. In this case, the statement drops the existing function, creates the function, and grants the same
-- privileges again. Rows: none. Locks: the function. If another object depends on the dropped function, the statement
-- fails.
do $$
declare
  name constant text := pg_catalog.current_setting('baton.name');
  definition constant text := pg_catalog.current_setting('baton.statement');
  privileges text[];
  privilege text;
begin
  execute definition;
exception when invalid_function_definition then
  privileges := array(
    select pg_catalog.format('grant execute on function %I to %s%s', name,
      case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
      case when a.is_grantable then ' with grant option' else '' end)
    from pg_proc f, pg_catalog.aclexplode(f.proacl) a
    where f.pronamespace = pg_catalog.current_schema()::regnamespace and f.proname = name and a.grantee <> f.proowner);
  execute pg_catalog.format('drop function if exists %I.%I', pg_catalog.current_schema(), name);
  execute definition;
  foreach privilege in array privileges loop
    execute privilege;
  end loop;
end $$
