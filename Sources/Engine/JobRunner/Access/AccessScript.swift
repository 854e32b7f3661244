import BatonPostgres

/// The roles of a schema and their rights, as declared in the `access/*.sql` files of the schema's
/// parts.
///
/// An `access/*.sql` file contains statements of five forms:
/// - `create role {x} OPTIONS`
/// - `grant {x} to {y}`
/// - `grant ... on ... to {x}`
/// - `create policy NAME on TABLE ...`
/// - `create policy all_rows on all tables to {x}`
///
/// In a statement, the name of the role `x` replaces `{x}`, and the schema's name replaces
/// `{schema}`. The `create policy all_rows` form gives a role access to all rows of every table. If
/// a role has a declared policy for a command on a table, the declared policy applies instead of
/// `all_rows`.
struct AccessScript {
  /// A role that is declared in an `access/*.sql` file.
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

    /// Parses `create policy NAME on TABLE [for COMMAND] to ...`, or returns nil for another form.
    ///
    /// - Parameter words: the words of the statement.
    init?(_ text: String, _ words: [Substring], to kinds: [String]) {
      guard words.count > 6, words[1] == "policy", words[3] == "on",
        words[2].allSatisfy(\.isOfWord), words[4].allSatisfy(\.isOfWord)
      else { return nil }
      var rest = words[5...]
      if rest.first == "for" {
        command = String(words[6])
        rest = rest.dropFirst(2)
      } else {
        command = "all"
      }
      guard Self.commands.contains(command), rest.first == "to" else { return nil }
      (name, table, self.kinds, self.text) = (String(words[2]), String(words[4]), kinds, text)
    }

    init(name: String, table: String, command: String, kinds: [String], text: String) {
      (self.name, self.table, self.command) = (name, table, command)
      (self.kinds, self.text) = (kinds, text)
    }

    private static let commands: Set = ["select", "insert", "update", "delete", "all"]
  }

  /// A grant of rights on objects to roles.
  struct Grant {
    let text: String
    /// The rights in the syntax of `grant`, such as `select, update (payload)`.
    let rights: String
    /// The objects of the grant: table names, function names, or `schema {schema}`.
    let objects: Set<Substring>
    let kinds: [String]

    /// Parses a grant of rights, or returns nil if the statement is not of the form `grant ... on
    /// ... to`.
    init?(_ text: String, to kinds: [String]) {
      guard !kinds.isEmpty, text.hasPrefix("grant "), let on = text.firstRange(of: " on "),
        let to = text.ranges(of: " to ").last, on.upperBound < to.lowerBound
      else { return nil }
      (self.text, self.kinds) = (text, kinds)
      rights = String(text[..<on.lowerBound].dropFirst("grant ".count))
      guard rights.allSatisfy({ $0.isLowercaseASCII || $0.isWhitespace || #"_",()"#.contains($0) })
      else { return nil }
      objects = Set(
        text[on.upperBound..<to.lowerBound].split { $0.isWhitespace || $0 == "," })
    }
  }

  private(set) var roles: [Role] = []
  /// The role memberships, each with the role's kind and its member's kind.
  private(set) var memberships: [(role: String, member: String)] = []
  private(set) var grants: [Grant] = []
  private(set) var declared: [Policy] = []
  /// The kinds of the roles that see all rows of every table on which they have rights.
  private(set) var seesAll: [String] = []

  /// The access declarations of one schema part.
  ///
  /// The schema stores the access declarations of each of its parts. A program that does not
  /// contain a part can set the part's rights from the stored declarations.
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
    // A grant to the API role fails if that role does not exist, so these grants are removed.
    if !kinds.contains("api") { grants.removeAll { $0.kinds == ["api"] } }
  }

  var kinds: [String] { roles.map(\.kind) }

  /// Adds the declaration of one statement.
  ///
  /// A command reads about 400 statements. Regular expressions would take up most of the time of
  /// `check`, because Swift compiles a regular expression each time it is used.
  private mutating func add(_ text: String, of part: String) throws(AccessProblem) {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
    let statement = lines.trimmingSpace
    let kinds = Self.kinds(in: statement)
    let words = statement.split(whereSeparator: \.isWhitespace)
    switch words.first {
    case "create" where statement.hasPrefix("create policy all_rows on all tables to "):
      seesAll += kinds
      return
    case "create" where words.count > 2 && words[1] == "role":
      let options = words[3...].joined(separator: " ")
      guard let kind = kinds.first, words[2] == "{\(kind)}",
        options.allSatisfy({ $0.isLowercaseASCII || $0 == " " })
      else { break }
      roles.append(Role(kind: kind, options: options))
      return
    case "create":
      guard let policy = Policy(statement, words, to: kinds) else { break }
      declared.append(policy)
      return
    case "grant" where words.count > 3 && words[1].hasPrefix("{"):
      let members = kinds.dropLast().map { "{\($0)}" }
      guard let member = kinds.last, !members.isEmpty,
        statement.filter({ $0 != "," && !$0.isWhitespace })
          == "grant\(members.joined())to{\(member)}"
      else { break }
      memberships += kinds.dropLast().map { ($0, member) }
      return
    case "grant":
      guard let grant = Grant(statement, to: kinds) else { break }
      grants.append(grant)
      return
    default: break
    }
    throw .unreadable(part: part, statement: String(statement.prefix(80)))
  }

  /// The kinds of roles that the statement names as `{kind}`, in order.
  static func kinds(in statement: String) -> [String] {
    statement.split(separator: "{").dropFirst().compactMap { rest in
      let name = rest.prefix(while: \.isOfWord)
      let isOne = rest[name.endIndex...].first == "}" && !name.isEmpty && name != "schema"
      return isOne ? String(name) : nil
    }
  }

  // MARK: Policies

  /// A table of the schema.
  struct Table: Sendable {
    let name: String
    /// The name as a statement contains it, in quotes if it needs them.
    let quoted: String
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
  /// If a role has no declared policy on the table, it gets one policy for all commands. A role
  /// with declared policies gets one policy for each command that they do not cover.
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
      allRows(of: table, for: command, to: kinds)
    }
  }

  private func isGranted(_ command: String, on table: String, to kind: String) -> Bool {
    grants.contains {
      $0.kinds.contains(kind) && $0.objects.contains(table[...]) && $0.rights.contains(command)
    }
  }

  private func allRows(of table: Table, for command: String, to kinds: [String]) -> Policy {
    let name = command == "all" ? "all_rows" : "all_rows_\(command)"
    let conditions =
      switch command {
      case "select", "delete": "using (true)"
      case "insert": "with check (true)"
      default: "using (true) with check (true)"
      }
    let roles = kinds.map { "{\($0)}" }.joined(separator: ", ")
    return Policy(
      name: name, table: table.name, command: command, kinds: kinds,
      text: "create policy \(name) on \(table.quoted) for \(command) to \(roles) \(conditions)")
  }
}

extension String {
  fileprivate var trimmingSpace: String {
    var text = self[...]
    while text.last?.isWhitespace ?? false || text.last == ";" { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }
}

extension Character {
  fileprivate var isLowercaseASCII: Bool { ("a"..."z").contains(self) }
  fileprivate var isOfWord: Bool { isLetter || isNumber || self == "_" }
}
