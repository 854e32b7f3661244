-- Lists the benchmark's existing schemas. Rows: the name of each schema. Locks: none.
select nspname::text from pg_namespace where nspname in ('raw', 'baton_bench') order by 1
