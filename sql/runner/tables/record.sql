-- Records the triggers that were created for a declaration. $1: the name. $2: the program. $3: the job. $4 and $5: the
-- table's schema and name. $6: the columns to read. $7: the operations. $8: the text. Rows: 1 affected row. Locks: the
-- row.
insert into table_trigger (
  name, program, job, table_schema, table_name, columns, operations, sha256, bodies)
select $1, $2, $3, $4, $5, $6::text[], $7::text[], encode(sha256(convert_to($8, 'UTF8')), 'hex'),
  array(
    select encode(sha256(convert_to(f.prosrc, 'UTF8')), 'hex')
    from unnest($7::text[]) with ordinality o (operation, place)
    join pg_proc f on f.pronamespace = current_schema()::regnamespace
      and f.proname = ($1 || '_' || o.operation)::name
    order by o.place)
on conflict (name) do update
set program = excluded.program, job = excluded.job, table_schema = excluded.table_schema,
  table_name = excluded.table_name, columns = excluded.columns, operations = excluded.operations,
  sha256 = excluded.sha256, bodies = excluded.bodies
