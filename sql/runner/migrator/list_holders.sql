-- Lists the sessions whose locks on the `migration` table make a migrator wait. Rows: process id, role, program, start
-- of the transaction. A column is null if the login may not see the value. Locks: none.
select l.pid, a.usename::text, a.application_name, a.xact_start
from pg_locks l
left join pg_stat_activity a on a.pid = l.pid
where l.database = (select oid from pg_database where datname = pg_catalog.current_database())
  and l.relation = pg_catalog.to_regclass($1 || '.migration') and l.granted
  and l.mode not in ('AccessShareLock', 'RowShareLock')
order by a.xact_start
