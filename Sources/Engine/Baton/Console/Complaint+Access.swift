import JobRunner

extension Complaint {
  init(_ problem: AccessProblem) {
    switch problem {
    case .unreadable(let part, let statement):
      self.init(
        .configuration, what: "'\(statement)' is not a statement about roles, grants or policies.",
        place: "access/*.sql of the part \(part)",
        next: "Nothing was changed. docs/reference/roles.md lists the five forms.")
    case .lacks(let role):
      self.init(
        .configuration, what: "There is no role \(role) yet.", place: "the server",
        next: "Nothing was changed. Run `\(Program.name) roles create` with this binary first.")
    case .badPrefix(let prefix):
      self.init(
        .usage, what: "'\(prefix)' cannot be a prefix of role names.", place: "--prefix",
        next: "Nothing was changed. Use at most 40 lower-case letters, digits and _.")
    case .taken(let role, let owner):
      self.init(
        .configuration, what: "The role \(role) exists and belongs to \(owner).",
        place: "the server",
        next: "Nothing was changed. Use a different --prefix: roles belong to the whole server.")
    case .otherAPIRole(_, let role, let wanted):
      self.init(
        .usage,
        what: "The role \(role) may call the functions of this schema, and the API's role "
          + "would be \(wanted).",
        place: "--prefix",
        next: "Nothing was changed. Omit --prefix, so that \(role) stays the API's role, or revoke "
          + "its rights first: drop owned by \(role).")
    case .otherPrefix(let schema, let prefix):
      self.init(
        .usage, what: "The schema has roles already: \(prefix)_...", place: "schema \(schema)",
        next: "Nothing was changed. `\(Program.name) roles drop` removes them.")
    case .none(let schema):
      self.init(
        .usage, what: "The schema has no roles.", place: "schema \(schema)",
        next: "`\(Program.name) roles create` creates them.")
    case .mayNot(let schema, let user, let what):
      self.init(
        .notAllowed, what: "\(user) may not \(what).", place: "schema \(schema)",
        next:
          "Nothing was changed. Log in as the schema's owner with CREATEROLE, or give "
          + "the output of --plan to the server's administrator.")
    case .stillNeeded(let schema, let dependents):
      self.init(
        .configuration,
        what: "The roles are still needed: \(dependents.joined(separator: "; ")).",
        place: "schema \(schema)", next: "Nothing was changed. End these uses first.")
    }
  }
}
