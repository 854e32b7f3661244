/// Foreign keys whose check reads a whole table.
///
/// When a row is deleted, PostgreSQL searches each table that may refer to the row. Only an index
/// over all rows with a reference makes this search independent of the size of the table. A partial
/// index with another condition is not used.
package enum ForeignKeys {
  /// A query of the foreign keys in the current schema that no index supports.
  ///
  /// Each row contains the table and the columns.
  package static let withoutIndex = """
    select format('%s (%s)', c.conrelid::regclass, k.columns)
    from pg_constraint c
    cross join lateral (
      select string_agg(a.attname, ', ' order by n.place) as columns,
        string_agg(format('(%I IS NOT NULL)', a.attname), ' AND ' order by n.place) as is_set
      from unnest(c.conkey) with ordinality n (number, place)
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = n.number
    ) k
    where c.contype = 'f' and c.conparentid = 0
      and c.connamespace = current_schema()::regnamespace
      and not exists (
        select from pg_index i
        where i.indrelid = c.conrelid and i.indisvalid
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = k.is_set)
          and ((i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
            or i.indisunique and c.conkey @> (i.indkey::int2[])[0:i.indnkeyatts - 1]))
    order by 1
    """
}
