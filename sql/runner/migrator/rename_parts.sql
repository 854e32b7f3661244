-- Gives the part `claims` its present name, `identity`, in a schema that an older program made.
-- Rows: none. Locks: the rows of that part.
do $$
begin
  update migration set part = 'identity' where part = 'claims';
  update schema_object set part = 'identity' where part = 'claims';
  update schema_part set part = 'identity' where part = 'claims';
  if to_regclass('access_object') is not null then
    update access_object set object = 'part identity' where object = 'part claims';
  end if;
end $$
