import BatonPostgres
import Foundation
import TestSupport

/// Statements on all tables and views of a schema, with values that an attacker would choose.
extension HostileCalls {
  /// The kind of a statement on a table.
  enum TableKind: String {
    /// The statement returns rows.
    case read
    /// The statement changes or locks rows.
    case write
    /// Only the owner of the table may execute the statement.
    case own
  }

  /// Returns the statements on each table.
  ///
  /// Each value is in a subquery, so PostgreSQL checks the rights before it computes the value.
  private static let drawTables = """
    create function pg_temp.value(kind oid, ids text[]) returns text language sql volatile as
    $$ select format('(select %s)', pg_temp.draw(kind, ids)) $$;

    create function pg_temp.forms(it oid, ids text[])
    returns table (kind text, statement text) language plpgsql volatile as $body$
    declare
      name constant text := (select format('%I.%I', n.nspname, c.relname)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = it);
      one record;
      columns text;
      drawn text;
    begin
      select string_agg(quote_ident(attname), ', ' order by attnum),
        string_agg(pg_temp.value(atttypid, ids), ', ' order by attnum)
      into columns, drawn
      from pg_attribute
      where attrelid = it and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = '';
      select quote_ident(attname) as name, atttypid as type into one
      from pg_attribute
      where attrelid = it and attnum > 0 and not attisdropped
      order by random() limit 1;
      return query
      select f.kind, format(f.text, name, one.name, pg_temp.value(one.type, ids), columns, drawn)
      from (values
        ('read', 'select left(string_agg(t::text, ''|''), 200000) from %1$s t'),
        ('read', 'select left(string_agg(t.%2$s::text, ''|''), 200000) from %1$s t'),
        ('read', 'select left(string_agg(t::text, ''|''), 200000) from %1$s t where t.%2$s::text is not distinct from %3$s::text'),
        ('read', 'select (select max(t.%2$s::text) from %1$s t) from generate_series(1, 2) limit 1'),
        ('write', 'select left(string_agg(x, ''|''), 200000) from (select t::text as x from %1$s t for update) l'),
        ('write', 'insert into %1$s as t (%4$s) values (%5$s) on conflict do nothing returning t::text'),
        ('write', 'insert into %1$s as t (%4$s) select %4$s from %1$s limit 1 returning t::text'),
        ('write', 'update %1$s as t set %2$s = %3$s returning t::text'),
        ('write', 'update %1$s as t set %2$s = t.%2$s where t.%2$s::text is distinct from %3$s::text returning t::text'),
        ('write', 'delete from %1$s as t returning t::text'),
        ('write', 'delete from %1$s as t where t.%2$s::text is not distinct from %3$s::text returning t::text'),
        ('write', 'lock table %1$s in share row exclusive mode nowait'),
        ('own', 'truncate %1$s cascade'),
        ('own', 'alter table %1$s disable row level security'),
        ('own', 'alter table %1$s owner to current_user'),
        ('own', 'alter table %1$s add column planted text'),
        ('own', 'create policy planted on %1$s using (true)'),
        ('own', 'create trigger planted before update on %1$s for each row execute function suppress_redundant_updates_trigger()'),
        ('own', 'create rule planted as on insert to %1$s do also select 1'),
        ('own', 'comment on column %1$s.%2$s is ''planted'''),
        ('own', 'create index planted on %1$s (%2$s)'),
        ('own', 'copy (select * from %1$s) to program ''true'''),
        ('own', 'drop table %1$s cascade')) f (kind, text)
      where f.kind <> 'own' or (select relkind from pg_class where oid = it) <> 'v';
    end $body$;

    create function pg_temp.tables(seed double precision, many integer, ids text[])
    returns table (name text, statement text) language plpgsql as $$
    begin
      perform setseed(seed);
      return query
        select 'table ' || c.relname || ' ' || f.kind, f.statement
        from (select * from pg_class order by oid) c
        cross join lateral pg_temp.forms(c.oid, ids) f
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')
        order by random()
        limit many;
    end $$;

    """

  /// Returns random statements on the tables and views of the schema.
  ///
  /// - Parameter most: the maximum number of statements, or nil for all statements on all tables.
  func drawTables(_ most: Int?, seed: Double) async throws -> [OneCall] {
    try await drawn(Self.drawTables, "tables", most ?? 1_000_000, seed: seed)
  }
}

extension HostileCalls.OneCall {
  /// The kind of a statement on a table, or nil for a call of a function.
  var tableKind: HostileCalls.TableKind? {
    guard name.hasPrefix("table ") else { return nil }
    return name.split(separator: " ").last.flatMap { HostileCalls.TableKind(rawValue: String($0)) }
  }
}
