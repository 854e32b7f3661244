import BatonPostgres
import JobRunner

extension Complaint {
  /// Describes why a schema cannot be used or migrated.
  init(_ problem: SchemaProblem) {
    switch problem {
    case .missing(let schema):
      self.init(
        .configuration, what: "This database contains no Baton schema yet.",
        place: "schema \(schema)", next: "Run \(Program.migrate).")
    case .encoding(let schema, let encoding):
      self.init(
        .configuration,
        what:
          "The database has the encoding \(encoding), which lacks characters of keys and texts.",
        place: "schema \(schema)",
        next: "Nothing was changed. Create a database: create database NAME encoding 'UTF8' "
          + "template template0.")
    case .shadowed(let schema, let objects, let fixes):
      self.init(
        .configuration,
        what: "PostgreSQL could use \(objects.joined(separator: ", ")) instead of its own.",
        place: "schema \(schema)",
        next: "Nothing was changed. Find out which role created this. As the owner, run: "
          + fixes.joined(separator: "; ") + ".")
    case .refusesWrites(let schema, let publications, let fixes):
      self.init(
        .configuration,
        what: "PostgreSQL refuses writes because of \(publications.joined(separator: ", ")).",
        place: "schema \(schema)",
        next: "Nothing was changed. As the owner of the publication or the table, run: "
          + fixes.joined(separator: "; ") + ".")
    case .firesNoTriggers(let schema):
      self.init(
        .configuration,
        what: "No trigger fires for this login, because session_replication_role is replica.",
        place: "schema \(schema)",
        next: "Nothing was changed. Remove the setting: alter role NAME reset "
          + "session_replication_role, or the same of the database.")
    case .readsNoViews(let schema):
      self.init(
        .configuration,
        what: "This login cannot read views, because of restrict_nonsystem_relation_kind.",
        place: "schema \(schema)",
        next: "Nothing was changed. Remove the setting: alter role NAME reset "
          + "restrict_nonsystem_relation_kind, or the same of the database.")
    case .older(let schema):
      self.init(
        .configuration, what: "The schema is older than this binary.",
        place: "schema \(schema)", next: "Run \(Program.migrate).")
    case .newer(let schema, let unknown, let needed):
      self.init(
        .configuration,
        what: "The schema is newer than this binary: it does not know migration \(unknown)"
          + (needed.map { ", which needs \($0)." } ?? "."),
        place: "schema \(schema)",
        next: "Install \(needed.map { "\($0) or a" } ?? "the") newer \(Program.name); "
          + "nothing was changed.")
    case .notCurrent(let schema, let own, let current):
      self.init(
        .configuration,
        what: "The schema lacks changes of \(own), because release \(current) is current.",
        place: "schema \(schema)",
        next: "Nothing was changed. Deploy a release above \(max(own.number, current)), or run "
          + "`\(Program.name) migrate --take-over`.")
    case .edited(let schema, let name):
      self.init(
        .configuration, what: "Migration \(name) was changed after it had been applied.",
        place: "schema \(schema), \(name.replacing("/", with: "/migrations/")).sql",
        next: "Restore the file as it was and put the change into a new migration.")
    case .beforeParts(let schema):
      self.init(
        .configuration,
        what: "The schema was created before schemas had parts and cannot be upgraded.",
        place: "schema \(schema)",
        next: "Nothing was changed. Use another schema name, or drop this schema, and migrate.")
    case .taken(let schema, let object):
      self.init(
        .configuration, what: "Two parts of the schema contain a \(object).",
        place: "schema \(schema)", next: "Give one of them another name; nothing was changed.")
    case .needsDirectConnection(let schema, let name):
      self.init(
        .configuration,
        what: "Migration \(name) cannot be in a transaction, nor sent through a pooler.",
        place: "schema \(schema)", next: "Migrate over a direct connection to the server.")
    case .locked(let schema, let holder, let limit):
      self.init(
        .tryAgain,
        what: "Another session has the lock of the table migration for more than \(limit).",
        place: "schema \(schema), \(holder)",
        next: "Wait until that session has ended, or end it, and migrate again.")
    case .noFunction(let schema, let part, let name):
      self.init(
        .configuration, what: "An API may call \(name), but no part of the schema contains it.",
        place: "schema \(schema), api.sql of the part \(part)",
        next: "Correct the list; nothing was changed.")
    case .tooLongForAPIRole(let schema):
      self.init(
        .usage, what: "The schema's name is too long for a role \(schema.apiRole).",
        place: "schema \(schema)",
        next: "Nothing was changed. Use a schema whose name has at most 40 bytes.")
    case .mayNotMakeRoles(let schema):
      self.init(
        .notAllowed, what: "This user may not create the role \(schema.apiRole).",
        place: "schema \(schema)",
        next: "Nothing was changed. Ask a login that may run "
          + "`create role \(schema.apiRole) nologin`, and migrate again.")
    case .apiRoleIsOwner(let schema):
      self.init(
        .configuration,
        what: "The role \(schema.apiRole) can do what the owner of the schema can.",
        place: "schema \(schema)",
        next: "Nothing was changed. Revoke its attribute SUPERUSER and its membership in "
          + "the owner, and migrate again.")
    }
  }
}
