-- Returns the metrics of all products in the schema. Each product defines a `PART_gauges` view, so that programs
-- without the product's code can also report its metrics. The function uses dynamic SQL, because the views' names are
-- stored in the schema_object table.
create or replace function product_gauges()
returns table (name text, help text, value double precision, most double precision, next text)
language plpgsql stable set search_path from current as $$
declare
  product text;
begin
  for product in
    select o.name from schema_object o where o.kind = 'view' and o.name = o.part || '_gauges' order by o.name
  loop
    return query execute format('select g.name, g.help, g.value, g.most, g.next from %I g', product);
  end loop;
end $$
