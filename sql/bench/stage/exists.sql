-- Lists the schemas of the bench that exist. Rows: their names. Locks: none.
select nspname::text from pg_namespace where nspname in ('raw', 'baton_bench') order by 1
