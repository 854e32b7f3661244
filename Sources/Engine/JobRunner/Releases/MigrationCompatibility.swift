import BatonPostgres

/// Decides from a migration's text whether older programs, which do not contain the migration, can
/// use the migrated schema.
///
/// A compatible migration may create tables, create non-unique indexes, and add columns that an
/// INSERT may omit. A compatible migration may also insert rows into a table that it creates, and
/// create unique indexes on it. Any other statement makes the migration incompatible with older
/// programs. The queue's own tables must not change, because programs move rows between them with
/// fixed column lists. docs/internals/deploys.md contains the reasons.
struct MigrationCompatibility {
  /// The tables created by the migration itself, which older programs do not use.
  private var created: Set<String> = []

  /// Returns whether older programs, which do not contain the migration, can use the migrated
  /// schema.
  static func isCompatible(_ migration: Statement) -> Bool {
    var check = MigrationCompatibility()
    return migration.statements.allSatisfy { check.accepts($0) }
  }

  /// The queue's own tables, which a compatible migration does not change.
  ///
  /// Programs move, dispatch or copy the rows of the queue's tables.
  static let fixedTables: Set<String> = [
    "run", "run_payload", "run_progress", "run_checkpoint", "run_step", "event_wait", "sent_event",
    "recent_run", "dead_run", "cancellation", "failed_attempt", "run_history",
    "event_0", "event_1", "event_2", "event_segment", "event_cursor", "event_position",
    "job", "job_limit", "group_limit", "limit_start", "held_group", "job_activity", "schedule",
    "schedule_delay", "occurrence",
  ]

  private mutating func accepts(_ statement: String) -> Bool {
    var text = TokenReader(statement)
    if text.take("create") {
      let isUnlogged = text.take("unlogged")
      if text.take("table") { return acceptsTable(&text) }
      let isUnique = text.take("unique")
      return !isUnlogged && text.take("index") && acceptsIndex(&text, isUnique: isUnique)
    }
    if text.take("alter") { return text.take("table") && acceptsColumns(&text) }
    return text.take("insert") && acceptsRows(&text)
  }

  /// Accepts `create table NAME (...)` without a reference to an older table.
  private mutating func acceptsTable(_ text: inout TokenReader) -> Bool {
    let mayExist = text.take("if", "not", "exists")
    guard let table = text.name(), !Self.isFixed(table) else { return false }
    // If the statement contains `if not exists`, the table may have existed before the migration.
    if !mayExist { created.insert(table) }
    if text.take("partition", "of") {
      return text.name().map(created.contains) == true && text.take("for", "values")
    }
    guard text.peek == .sign("(") else { return false }
    var depth = 0
    while let token = text.next() {
      switch token {
      case .sign("("): depth += 1
      case .sign(")"): depth -= 1
      // A foreign key can make DELETE and TRUNCATE of the referenced older table fail.
      case .word("references"):
        guard let other = text.name(), created.contains(other) else { return false }
      // `create table ... as select` reads older tables, and `inherits` changes what older tables
      // contain.
      case .word("as") where depth == 0, .word("inherits"), .word("like"): return false
      default: break
      }
    }
    return true
  }

  /// Accepts `create index [NAME] on TABLE ...`.
  ///
  /// A unique index is accepted only on a table that this migration creates.
  private func acceptsIndex(_ text: inout TokenReader, isUnique: Bool) -> Bool {
    _ = text.take("concurrently")
    _ = text.take("if", "not", "exists")
    if text.peek != .word("on") { _ = text.name() }
    guard text.take("on") else { return false }
    _ = text.take("only")
    guard let table = text.name() else { return false }
    return created.contains(table) || !isUnique && !Self.isFixed(table)
  }

  /// Accepts `alter table NAME add column NAME TYPE, ...` for nullable columns without a default.
  private func acceptsColumns(_ text: inout TokenReader) -> Bool {
    _ = text.take("if", "exists")
    _ = text.take("only")
    guard let table = text.name(), !Self.isFixed(table) else { return false }
    repeat {
      guard text.take("add") else { return false }
      _ = text.take("column")
      _ = text.take("if", "not", "exists")
      guard text.name() != nil, acceptsType(&text) else { return false }
    } while text.take(sign: ",")
    return text.peek == nil
  }

  /// Accepts a built-in type.
  ///
  /// A type that is not built in could be a domain with a NOT NULL constraint.
  private func acceptsType(_ text: inout TokenReader) -> Bool {
    guard case .word(let type) = text.next(), Self.types.contains(type) else { return false }
    var depth = 0
    while let token = text.peek, depth > 0 || token != .sign(",") {
      _ = text.next()
      switch token {
      case .sign("("): depth += 1
      case .sign(")"): depth -= 1
      case .sign("["), .sign("]"), .sign(","), .quoted: break
      case .sign(let sign) where sign.isNumber: break
      case .word(let word) where Self.typeWords.contains(word): break
      default: return false
      }
    }
    return true
  }

  /// Accepts `insert into NAME ... values ...` into a table that this migration creates.
  private func acceptsRows(_ text: inout TokenReader) -> Bool {
    guard text.take("into"), let table = text.name(), created.contains(table) else { return false }
    while let token = text.next() {
      if case .word(let word) = token, Self.otherWork.contains(word) { return false }
    }
    return true
  }

  /// Whether the table is one of the queue's tables, in any schema.
  private static func isFixed(_ table: String) -> Bool {
    let name = table.split(separator: ".").last.map(String.init) ?? table
    return fixedTables.contains(name) || name.hasPrefix("run_history_")
  }

  private static let types: Set<String> = [
    "bigint", "bit", "boolean", "bool", "bytea", "char", "character", "cidr", "date", "decimal",
    "double", "float", "inet", "int", "integer", "interval", "json", "jsonb", "numeric", "real",
    "smallint", "text", "time", "timestamp", "timestamptz", "uuid", "varchar", "xid8",
  ]
  private static let typeWords: Set<String> = [
    "precision", "varying", "with", "without", "time", "zone", "null", "collate", "array",
  ]
  private static let otherWork: Set<String> = ["select", "with", "update", "delete", "merge"]
}

/// Reads the tokens of a statement from left to right.
private struct TokenReader {
  private var rest: ArraySlice<SQLTokens.Token>

  init(_ statement: String) { rest = SQLTokens(statement).all[...] }

  var peek: SQLTokens.Token? { rest.first }

  mutating func next() -> SQLTokens.Token? { rest.popFirst() }

  /// Removes the given words if they are the next tokens.
  mutating func take(_ words: String...) -> Bool {
    guard rest.starts(with: words.map { .word($0) }) else { return false }
    rest = rest.dropFirst(words.count)
    return true
  }

  mutating func take(sign: Character) -> Bool {
    guard peek == .sign(sign) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Removes the next name from the remaining tokens, and returns the name.
  ///
  /// The name includes the schema if the statement specifies one.
  mutating func name() -> String? {
    var parts: [String] = []
    repeat {
      switch next() {
      case .word(let word): parts.append(word)
      case .quoted(let name): parts.append(name)
      default: return nil
      }
    } while take(sign: ".")
    return parts.joined(separator: ".")
  }
}
