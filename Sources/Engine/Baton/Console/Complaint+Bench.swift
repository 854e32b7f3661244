import Bench

extension Complaint {
  /// Describes why a benchmark did not start or did not finish.
  init(_ refusal: BenchRefusal) {
    switch refusal {
    case .unknownCase(let name, let known):
      self.init(
        .usage, what: "There is no case '\(name)'.", place: "CASE",
        next: "The cases are \(known.joined(separator: ", ")).")
    case .unknownSize(let name, let known):
      self.init(
        .usage, what: "There is no size '\(name)'.", place: "--size",
        next: "The sizes of these cases are \(known.joined(separator: ", ")).")
    case .schemaExists(let name):
      self.init(
        .usage, what: "The schema \(name) already exists, and the bench would drop it.",
        place: "schema \(name)",
        next: "Use another database; if a killed bench left it: drop schema \(name) cascade.")
    case .inUse(let schema):
      self.init(
        .usage, what: "This schema is in use: it holds data, events or runs.",
        place: "schema \(schema)",
        next:
          "Use another database, for example that of `\(Program.name) db up` in an empty folder.")
    case .programMissing(let name):
      self.init(
        .noInput, what: "\(name) is not installed.",
        place: "`pg_config --bindir`, /usr/lib/postgresql/*/bin and PATH",
        next: "Install it: apt-get install postgresql postgresql-client")
    case .programFailed(let name, let output):
      self.init(
        .fault, what: "\(name) failed: \(output.suffix(500))", place: "the raw side",
        next: "Its role must be allowed to make schemas and to run CHECKPOINT (superuser).")
    case .incomplete(let what):
      self.init(
        .fault, what: "The measurement is void: \(what).", place: "our side",
        next: "Report it with this output; the bench's schemas are dropped.")
    }
  }
}
