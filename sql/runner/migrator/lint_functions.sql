-- Compares the schema's functions with the texts in this program, which no session of the database can change. $1: the
-- names. $2: the bodies. $3: whether each function runs as its owner. $4: the volatility. $5: whether a null argument
-- makes the result null. $6: the parallel safety. $7: the languages. $8: the first setting or ''. $9: whether the
-- function has no other setting. Rows: the name and the differences, for each function that differs. Locks: none.
select own.name, pg_catalog.concat_ws(', ',
    case when f.oid is null then 'the function is missing' end,
    case when f.prosrc <> own.body then 'the body differs' end,
    case when f.prosecdef and not own.is_definer then 'SECURITY DEFINER instead of INVOKER'
      when not f.prosecdef and own.is_definer then 'SECURITY INVOKER instead of DEFINER' end,
    case when f.provolatile::text <> own.volatility then 'another volatility' end,
    case when f.proisstrict <> own.is_strict then 'another treatment of null' end,
    case when f.proparallel::text <> own.parallel then 'another parallel safety' end,
    case when f.proleakproof then 'LEAKPROOF' end,
    case when l.lanname::text <> own.language then 'another language' end,
    case when not c.is_right then 'other settings' end)
from unnest($1::text[], $2::text[], $3::boolean[], $4::text[], $5::boolean[], $6::text[], $7::text[],
  $8::text[], $9::boolean[]) own (name, body, is_definer, volatility, is_strict, parallel, language, setting, is_only)
left join pg_catalog.pg_proc f on f.proname::text = own.name
  and f.pronamespace = pg_catalog.current_schema()::pg_catalog.regnamespace
left join pg_catalog.pg_language l on l.oid = f.prolang
cross join lateral (
  select case when own.is_only then config = own.setting else pg_catalog.starts_with(config, own.setting) end as is_right
  from (select coalesce(pg_catalog.array_to_string(f.proconfig, e'\n'), '') as config) s) c
where f.oid is null or f.proleakproof or not c.is_right
  or (f.prosrc, f.prosecdef, f.provolatile::text, f.proisstrict, f.proparallel::text, l.lanname::text)
    <> (own.body, own.is_definer, own.volatility, own.is_strict, own.parallel, own.language)
order by own.name
