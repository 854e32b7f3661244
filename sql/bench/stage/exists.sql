-- Which of the bench's schemas are there. Rows: their names. Locks: none.
select nspname::text from pg_namespace where nspname in ('raw', 'baton_bench') order by 1
