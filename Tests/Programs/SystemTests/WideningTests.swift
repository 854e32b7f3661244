import BatonPostgres
import JobRunner
import TestSupport
import Testing

/// `check` finds each change that widens rights, and its statement or `migrate` repairs the change.
@Suite(.timeLimit(.minutes(10)), .serialized) struct WideningTests {
  private static let template = RoleTemplate("wide", parts: TestSchema.parts)

  /// A copy of the template with its own outsider.
  private struct Place {
    let database: String
    let outsider = RoleServer.name("outsider")
    var schema: Schema { template.schema }

    func rendered(_ text: String) -> String {
      text.replacing(/\{(\w+)\}/) { match in
        switch match.1 {
        case "schema": schema.name
        case "database": database
        case "outsider": outsider
        default: "\(schema)_\(match.1)"
        }
      }
    }

    /// Runs statements as a superuser in one transaction.
    func run(_ text: String) async throws {
      try await RoleServer.with(try await RoleServer.connect(in: database)) { superuser in
        try await superuser.transaction(in: schema) { transaction in
          try await transaction.run(.run(Statement("test/begin", "select")))
          try await transaction.script(Statement("test/widen", rendered(text)))
        }
      }
    }

    /// Runs printed statements as an operator does, in a session with the default search_path.
    func runPrinted(_ text: String) async throws {
      try await RoleServer.with(try await RoleServer.connect(in: database)) { superuser in
        try await superuser.script(Statement("test/repair", text))
      }
    }

    func faults() async throws -> [Migrator.AccessFault] {
      try await RoleServer.with(try await RoleServer.connect(in: database)) { superuser in
        try await Migrator(schema, parts: TestSchema.parts).accessFaults(superuser)
      }
    }

    func migrate() async throws -> Migrator.Outcome {
      try await RoleServer.with(try await RoleServer.connect(in: database)) { superuser in
        try await Migrator(schema, parts: TestSchema.parts).migrate(superuser)
      }
    }

    /// Runs the first printed statement, or `migrate` if there is none, until no finding is left.
    func repair(until clean: [Migrator.AccessFault]) async throws {
      for _ in 0..<6 {
        let faults = try await faults().filter { !clean.contains($0) }
        guard let first = faults.first(where: { $0.fix != "migrate" }) ?? faults.first else {
          return
        }
        if first.fix == "migrate" {
          _ = try await migrate()
        } else {
          try await runPrinted(first.fix)
        }
      }
    }
  }

  private func with(_ body: (Place) async throws -> Void) async throws {
    try await Self.template.withCopy { database in
      let place = Place(database: database)
      try await RoleServer.administer("create role \(place.outsider)")
      let result: Result<Void, any Error>
      do { result = .success(try await body(place)) } catch { result = .failure(error) }
      try await RoleServer.administer("drop owned by \(place.outsider)", in: database)
      try await RoleServer.administer("drop role \(place.outsider)")
      try result.get()
    }
  }

  /// The rows share the roles of the server, so they run one after another.
  @Test(.sampled()) func `each widening is found, and the printed statement repairs it`()
    async throws
  {
    #expect(Widening.all.count > 31)
    var rest = Randomness.sample(12, of: Widening.all)[...]
    // After a failed row, the remaining rows use another copy.
    while !rest.isEmpty {
      try await with { place in
        let clean = try await place.faults()
        #expect(clean.filter(\.isFault) == [])
        #expect(try await place.migrate().objects == [])
        while let widening = rest.popFirst() {
          do {
            guard try await expect(widening, in: place, clean) else { return }
          } catch {
            Issue.record("\(widening.change): \(error)")
            return
          }
        }
      }
    }
  }

  @Test(.sampled())
  func `a change of a partitioned table is one finding, and not one for each partition`()
    async throws
  {
    try await with { place in
      let clean = try await place.faults()
      try await place.run(
        """
        create function public.spy() returns trigger language plpgsql as 'begin return new; end';
        create trigger spy before insert on notification for each row execute function public.spy();
        alter table notification add column spy text;
        create trigger own_spy before insert on notification_3
          for each row execute function public.spy()
        """)
      let found = try await place.faults().filter { !clean.contains($0) && $0.what.contains("spy") }
      let named = found.map { fault in
        let words = fault.what.split(separator: " ")
        return "\(words[1]) \(words[2]), \(fault.place.prefix { $0 != " " })"
      }
      #expect(
        named.sorted() == [
          "column spy, notification", "trigger own_spy, notification_3",
          "trigger spy, notification",
        ])
      // The printed statements repair the partitions too.
      for fault in found { try await place.runPrinted(fault.fix) }
      #expect(try await place.faults() == clean)
    }
  }

  private func expect(
    _ widening: Widening, in place: Place, _ clean: [Migrator.AccessFault]
  ) async throws -> Bool {
    try await place.run(widening.change)
    let found = try await place.faults().filter { !clean.contains($0) }
    #expect(
      found.contains { $0.what.hasPrefix(place.rendered(widening.finding)) },
      "\(widening.change): \(found)")
    #expect(found.allSatisfy { !$0.place.isEmpty && !$0.fix.isEmpty }, "\(found)")
    if let undo = widening.undo {
      try await place.run(undo)
    } else {
      try await place.repair(until: clean)
    }
    let left = try await place.faults()
    #expect(left == clean, "after the repair of \(widening.change): \(found)")
    return left == clean
  }

  @Test(
    .sampled(),
    arguments: Randomness.sample(
      2,
      of: [
        "format(text, name)", "quote_ident(name)", "lower(name)", "concat_ws(text, name, name)",
        "coalesce_first(name)", "to_regclass(name)", "array_to_string(name[], text)",
      ]))
  func `no check executes an overload that PostgreSQL would prefer to its own`(
    function: String
  ) async throws {
    try await with { place in
      try await place.run(
        """
        create function \(function) returns text language plpgsql immutable as
        $$ begin raise exception 'the overload ran'; end $$
        """)
      let found = try await place.faults()
      #expect(found.contains { $0.what.hasPrefix("the function \(function.prefix { $0 != "(" })") })
      guard !function.hasPrefix("coalesce") else { return }
      await #expect(throws: SchemaProblem.self) { _ = try await place.migrate() }
    }
  }
}
