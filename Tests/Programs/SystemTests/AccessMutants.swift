import TestSupport

/// An incorrect grant or policy, and the affected objects.
struct AccessMutant {
  let name: String
  /// The statement that a superuser executes to create the mutant.
  let statement: String
  /// The table whose cells change, or nil if no cell needs to change.
  let table: String?

  /// Returns all mutants: every policy dropped, opened or assigned to another role.
  ///
  /// Every table right is granted to all, and every function with its owner's rights is without its
  /// path and executable by all.
  static func all(in place: RolePlace) async throws -> [AccessMutant] {
    let rows = try await place.rows(
      """
      with policy as (
        select p.polname as name, c.relname as table, p.polcmd, p.polroles,
          pg_get_expr(p.polqual, p.polrelid) as qual, pg_get_expr(p.polwithcheck, p.polrelid) as checked
        from pg_policy p join pg_class c on c.oid = p.polrelid
        where c.relnamespace = current_schema()::regnamespace and not c.relispartition
      ),
      granted as (
        select distinct c.relname as table, r.rolname as role
        from pg_class c
        left join pg_attribute t on t.attrelid = c.oid and t.attacl is not null,
          lateral (select grantee from aclexplode(c.relacl) union select grantee from aclexplode(t.attacl)) a
        join pg_roles r on r.oid = a.grantee
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
          and not c.relispartition and r.oid <> c.relowner
      )
      select concat_ws(e'\\t', format('drop %s on %s', name, "table"), format('drop policy %I on %I', name, "table"),
        "table") from policy
      union all
      select concat_ws(e'\\t', format('open %s on %s', name, "table"), format('alter policy %I on %I %s %s', name,
        "table", case when polcmd <> 'a' then 'using (true)' end, case when polcmd not in ('r', 'd') then
          'with check (true)' end), "table")
      from policy where coalesce(qual, 'true') <> 'true' or coalesce(checked, 'true') <> 'true'
      union all
      select concat_ws(e'\\t', format('give %s on %s to anon', name, "table"),
        format('alter policy %I on %I to %I', name, "table", '\(place.role("anon"))'), "table") from policy
      union all
      select concat_ws(e'\\t', format('widen %s for %s', "table", role),
        format('grant all on %I to %I', "table", role), "table") from granted
      union all
      select concat_ws(e'\\t', format('unpin %s', f.proname),
        format('alter routine %s reset search_path', f.oid::regprocedure))
      from pg_proc f where f.pronamespace = current_schema()::regnamespace and f.prosecdef
      union all
      select concat_ws(e'\\t', format('let anybody execute %s', f.proname),
        format('grant execute on routine %s to public', f.oid::regprocedure))
      from pg_proc f where f.pronamespace = current_schema()::regnamespace and f.prosecdef
      """)
    return rows.map { row in
      let parts = row.split(separator: "\t").map(String.init)
      return AccessMutant(
        name: parts[0].replacing("\(place.schema)_", with: ""), statement: parts[1],
        table: parts.count > 2 ? parts[2] : nil)
    }
  }
}
