/// API calls with one string that is far too long, and no other argument.
package enum OversizedTexts {
  /// A query of all these calls as SQL.
  ///
  /// The functions of the API are the functions with a comment.
  package static let query = """
    select format('select %I(%s)', p.proname, a.list)
    from pg_proc p
    cross join lateral unnest(p.proargtypes) with ordinality long (type, number)
    cross join lateral (
      select string_agg(
        case when t.number = long.number then 'repeat(''x'', 1000000)'
          else 'null::' || format_type(t.type, null) end, ', ' order by t.number) as list
      from unnest(p.proargtypes) with ordinality t (type, number)
    ) a
    where p.pronamespace = current_schema()::regnamespace and p.prosecdef
      and obj_description(p.oid) is not null and long.type = 'text'::regtype
    order by p.proname, long.number
    """

  /// Returns the calls in the rows of the query.
  ///
  /// In these rows, a string with a comma is quoted.
  package static func calls(_ rows: [String]) -> [String] {
    rows.map { $0.replacing("\"", with: "") }
  }

  /// The error message with which each call is refused.
  package static let refusal = "a parameter has more than 65,536 bytes"
}
