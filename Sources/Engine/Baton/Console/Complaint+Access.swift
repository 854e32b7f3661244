import JobRunner

extension Complaint {
  init(_ problem: AccessProblem) {
    switch problem {
    case .unreadable(let part, let statement):
      self.init(
        .configuration, what: "'\(statement)' is not a statement about roles, grants or policies.",
        place: "access/*.sql of the part \(part)",
        next: "Nothing was changed. docs/reference/roles.md has the five forms.")
    case .lacks(let role):
      self.init(
        .configuration, what: "There is no role \(role) yet.", place: "the server",
        next: "Nothing was changed. Run `\(Program.name) roles create` with this binary first.")
    case .badPrefix(let prefix):
      self.init(
        .usage, what: "'\(prefix)' cannot begin the names of roles.", place: "--prefix",
        next: "Nothing was changed. Use at most 40 lower-case letters, digits and _.")
    case .taken(let role, let owner):
      self.init(
        .configuration, what: "The role \(role) is there, and is of \(owner).", place: "the server",
        next: "Nothing was changed. Take another --prefix: roles are the whole server's.")
    case .otherAPIRole(_, let role, let wanted):
      self.init(
        .usage,
        what: "The role \(role) may call the functions of this schema, and the API's role "
          + "would be \(wanted).",
        place: "--prefix",
        next: "Nothing was changed. Leave --prefix out, and \(role) stays the API's role. Or take "
          + "its rights first: drop owned by \(role).")
    case .otherPrefix(let schema, let prefix):
      self.init(
        .usage, what: "The schema has roles already: \(prefix)_...", place: "schema \(schema)",
        next: "Nothing was changed. `\(Program.name) roles drop` removes them.")
    case .none(let schema):
      self.init(
        .usage, what: "The schema has no roles.", place: "schema \(schema)",
        next: "`\(Program.name) roles create` makes them.")
    case .mayNot(let schema, let user, let what):
      self.init(
        .notAllowed, what: "\(user) may not \(what).", place: "schema \(schema)",
        next:
          "Nothing was changed. Ask as the schema's owner, with the attribute CREATEROLE; or give "
          + "the output of --plan to the server's administrator.")
    case .stillNeeded(let schema, let dependents):
      self.init(
        .configuration,
        what: "Something still needs the roles: \(dependents.joined(separator: "; ")).",
        place: "schema \(schema)", next: "Nothing was changed. End that first, and drop them then.")
    }
  }
}
