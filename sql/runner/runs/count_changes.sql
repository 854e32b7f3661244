-- Counts the rows that this transaction has written to each table, for a dry run. Rows: the table, and the numbers of
-- inserted, updated and deleted rows. Locks: none.
select relname::text, n_tup_ins, n_tup_upd, n_tup_del
from pg_stat_xact_user_tables
where relid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
  and n_tup_ins + n_tup_upd + n_tup_del > 0
order by relname
