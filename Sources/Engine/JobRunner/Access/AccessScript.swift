import BatonPostgres

/// The roles of a schema and their rights, as declared in the files `access/*.sql` of the schema's
/// parts.
///
/// A file `access/*.sql` contains statements of five forms:
/// - `create role {x} OPTIONS`
/// - `grant {x} to {y}`
/// - `grant ... on ... to {x}`
/// - `create policy NAME on TABLE ...`
/// - `create policy all_rows on all tables to {x}`
///
/// In a statement, the name of the role `x` replaces `{x}`, and the name of the schema replaces
/// `{schema}`. The form `create policy all_rows` gives a role access to all rows of every table. If
/// a role has a declared policy for a command on a table, the declared policy applies instead of
/// `all_rows`.
struct AccessScript {
  /// A role that is declared in a file `access/*.sql`.
  struct Role {
    let kind: String
    /// The options of `create role`, such as `login noinherit`.
    let options: String
  }

  /// A policy, which limits the rows of a table that roles can read or change.
  struct Policy {
    let name: String
    let table: String
    /// The SQL command to which the policy applies, which is `select`, `insert`, `update`, `delete`
    /// or `all`.
    let command: String
    let kinds: [String]
    let text: String

    /// The policy's name in the rows of `list_access`.
    var object: String { "policy \(name) on \(table)" }
  }

  /// A grant of rights on objects to roles.
  struct Grant {
    let text: String
    /// The rights in the syntax of `grant`, such as `select, update (payload)`.
    let rights: String
    /// The objects of the grant: names of tables, names of functions, or `schema {schema}`.
    let objects: Set<Substring>
    let kinds: [String]

    /// Parses a grant of rights, or returns nil if the statement is not of the form `grant ... on
    /// ... to`.
    init?(_ text: String, to kinds: [String]) {
      guard !kinds.isEmpty,
        let match = text.wholeMatch(of: /(?s)grant ([a-z_",()\s]+) on (.+) to .+/)
      else { return nil }
      (self.text, self.kinds) = (text, kinds)
      rights = String(match.1)
      objects = Set(match.2.split(separator: /[,\s]+/))
    }
  }

  private(set) var roles: [Role] = []
  /// The role memberships, each with the kind of the role and the kind of its member.
  private(set) var memberships: [(role: String, member: String)] = []
  private(set) var grants: [Grant] = []
  private(set) var declared: [Policy] = []
  /// The kinds of the roles that see all rows of every table on which they have rights.
  private(set) var seesAll: [String] = []

  /// The access declarations of one part of the schema.
  ///
  /// The schema stores the declarations of each part, so that a program without the part can set
  /// its rights.
  struct Part: Sendable, Equatable {
    let name: String
    let text: String

    init(name: String, text: String) {
      (self.name, self.text) = (name, text)
    }

    init(_ part: SchemaPart) {
      name = part.name
      let api = part.api.joined(separator: ", ")
      text =
        (part.access.flatMap(\.statements)
        + (api.isEmpty ? [] : ["grant execute on function \(api) to {api}"])).joined(
          separator: ";\n")
    }
  }

  /// Parses the declarations of the parts.
  ///
  /// - Throws: ``AccessProblem`` if a statement in `access/*.sql` has an unsupported form.
  init(_ parts: [Part]) throws(AccessProblem) {
    for part in parts {
      for text in Statement(part.name, part.text).statements { try add(text, of: part.name) }
    }
    // A grant to the API role fails if the API role does not exist, so these grants are removed.
    if !kinds.contains("api") { grants.removeAll { $0.kinds == ["api"] } }
  }

  var kinds: [String] { roles.map(\.kind) }

  private mutating func add(_ text: String, of part: String) throws(AccessProblem) {
    let words = text.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
    let statement = words.trimmingSpace
    let kinds = Self.kinds(in: statement)
    // The prefix check avoids compiling the regular expression, which Swift compiles at each use.
    if statement.hasPrefix("create role "),
      let match = statement.wholeMatch(of: /create role \{(\w+)\}([a-z\s]*)/)
    {
      roles.append(Role(kind: String(match.1), options: String(match.2).trimmingSpace))
    } else if statement.hasPrefix("create policy all_rows on all tables to ") {
      seesAll += kinds
    } else if statement.hasPrefix("create policy "),
      let match = statement.prefixMatch(
        of: /create policy (\w+) on (\w+)(?:\s+for (select|insert|update|delete|all))?\s+to\s/)
    {
      declared.append(
        Policy(
          name: String(match.1), table: String(match.2), command: match.3.map(String.init) ?? "all",
          kinds: kinds, text: statement))
    } else if statement.wholeMatch(of: /grant (\{\w+\}[,\s]*)+\s+to \{(\w+)\}/) != nil,
      let member = kinds.last
    {
      memberships += kinds.dropLast().map { ($0, member) }
    } else if let grant = Grant(statement, to: kinds) {
      grants.append(grant)
    } else {
      throw .unreadable(part: part, statement: String(statement.prefix(80)))
    }
  }

  private static func kinds(in statement: String) -> [String] {
    statement.split(separator: "{").dropFirst().compactMap { rest in
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let isOne = rest[name.endIndex...].first == "}" && !name.isEmpty && name != "schema"
      return isOne ? String(name) : nil
    }
  }

  // MARK: Policies

  /// A table of the schema.
  struct Table: Sendable {
    let name: String
    /// Whether the table is a partition, on which only the owner and the definer get policies.
    let isPartition: Bool
  }

  /// Returns all policies of the given tables.
  func policies(of tables: [Table]) -> [Policy] {
    tables.flatMap { table in
      declared.filter { $0.table == table.name } + allRows(of: table)
    }
  }

  /// Returns the policies of the roles that see every row of the table.
  ///
  /// If a role has no declared policy on the table, the role gets one policy for all commands. A
  /// role with declared policies gets one policy for each command that its declared policies do not
  /// cover.
  private func allRows(of table: Table) -> [Policy] {
    let kinds = table.isPartition ? seesAll.filter { ["owner", "definer"].contains($0) } : seesAll
    let own = declared.filter { $0.table == table.name }
    func has(_ kind: String, _ command: String) -> Bool {
      own.contains {
        $0.kinds.contains(kind) && [command, "all"].contains($0.command)
      }
    }
    func hasAny(_ kind: String) -> Bool { own.contains { $0.kinds.contains(kind) } }
    let whole = kinds.filter { !hasAny($0) }
    let commands = ["select", "insert", "update", "delete"].map { command in
      (
        command,
        kinds.filter {
          hasAny($0) && !has($0, command)
            && (["owner", "definer"].contains($0) || isGranted(command, on: table.name, to: $0))
        }
      )
    }
    return ([("all", whole)] + commands).filter { !$0.1.isEmpty }.map { command, kinds in
      allRows(of: table.name, for: command, to: kinds)
    }
  }

  private func isGranted(_ command: String, on table: String, to kind: String) -> Bool {
    grants.contains {
      $0.kinds.contains(kind) && $0.objects.contains(table[...]) && $0.rights.contains(command)
    }
  }

  private func allRows(of table: String, for command: String, to kinds: [String]) -> Policy {
    let name = command == "all" ? "all_rows" : "all_rows_\(command)"
    let conditions =
      switch command {
      case "select", "delete": "using (true)"
      case "insert": "with check (true)"
      default: "using (true) with check (true)"
      }
    let roles = kinds.map { "{\($0)}" }.joined(separator: ", ")
    return Policy(
      name: name, table: table, command: command, kinds: kinds,
      text: "create policy \(name) on \(table) for \(command) to \(roles) \(conditions)")
  }
}

extension String {
  fileprivate var trimmingSpace: String {
    var text = self[...]
    while text.last?.isWhitespace ?? false || text.last == ";" { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }
}
