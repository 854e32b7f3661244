-- Renames the `claims` module to `identity` in the records of a schema that an older program created. Rows: none.
-- Locks: the module's records.
do $$
begin
  update migration set part = 'identity' where part = 'claims';
  update schema_object set part = 'identity' where part = 'claims';
  update schema_part set part = 'identity' where part = 'claims';
  if pg_catalog.to_regclass('access_object') is not null then
    update access_object set object = 'part identity' where object = 'part claims';
  end if;
end $$
