import Testing

@testable import JobRunner

/// Tests which declarations of rights are accepted.
@Suite struct AccessScriptTests {
  private func script(_ statements: String) throws -> AccessScript {
    try AccessScript([
      AccessScript.Part(
        name: "demo",
        text: "create role {owner} nologin;\ncreate role {reader} login;\n" + statements)
    ])
  }

  @Test func `the five forms are read`() throws {
    let script = try script(
      """
      -- Readers are members of the owner.
      grant {owner} to {reader};
      grant select, update (payload) on run,
        job to {reader}, {owner};
      create policy own_rows on run for select to {reader} using (owner = current_user);
      create policy every_command on job to {reader} using (true);
      create policy all_rows on all tables to {owner}
      """)
    #expect(script.kinds == ["owner", "reader"])
    #expect(script.roles.map(\.options) == ["nologin", "login"])
    #expect(script.memberships.map { "\($0.role) to \($0.member)" } == ["owner to reader"])
    #expect(script.grants.map(\.rights) == ["select, update (payload)"])
    #expect(script.grants[0].objects == ["run", "job"])
    #expect(script.grants[0].kinds == ["reader", "owner"])
    #expect(script.declared.map(\.command) == ["select", "all"])
    #expect(script.seesAll == ["owner"])
  }

  /// A declaration that no form covers would otherwise be ignored, and a right would be missing or
  /// be too wide.
  @Test(arguments: [
    "drop role {reader}",
    "create role reader login",
    "create role {reader} login password 'x'",
    "create policy own_rows for select to {reader}",
    "create policy own_rows on run for truncate to {reader} using (true)",
    "create policy own_rows on run for select using (true)",
    "create policy \"own rows\" on run to {reader} using (true)",
    "grant {owner} to {reader} with admin option",
    "grant {owner} to {reader}; grant {owner} {reader}",
    "grant select on run to reader",
    "grant select to {reader}",
    "grant SELECT on run to {reader}",
    "grant select; drop table run on run to {reader}",
    "revoke select on run from {reader}",
    "alter default privileges grant select on tables to {reader}",
  ])
  func `another statement is refused`(statement: String) throws {
    let error = #expect(throws: AccessProblem.self) { try script(statement) }
    guard case .unreadable(part: "demo", _) = error else {
      Issue.record("\(statement) is refused with \(String(describing: error))")
      return
    }
  }
}
